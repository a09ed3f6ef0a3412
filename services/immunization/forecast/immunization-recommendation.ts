import type {
  CodeableConcept,
  ImmunizationRecommendation,
  ImmunizationRecommendationRecommendation,
} from '../../../packages/fhir/r4.ts'
import { plus } from './calendar.ts'
import type { Forecast } from './forecast.ts'
import { cvxSystem } from './vaccine-codes.ts'

/** Marks what this app calculated: nobody decided it for the patient. */
export const calculatedTag = {
  system: 'urn:corridor:forecast',
  code: 'calculated',
  display: 'Calculated from the WHO routine schedule; not a clinical decision',
} as const

/** The forecasts as one resource. What is no longer given at this age is no recommendation and is left out. */
export function toImmunizationRecommendation(
  forecasts: readonly Forecast[],
  { patient, date }: { readonly patient: string; readonly date: Date },
): ImmunizationRecommendation | undefined {
  const recommended = forecasts.filter(({ status }) => status !== 'too-old').map(recommendationOf)
  if (recommended.length === 0) return undefined
  return {
    resourceType: 'ImmunizationRecommendation',
    meta: { tag: [{ ...calculatedTag }] },
    patient: { reference: patient },
    date: date.toISOString(),
    authority: { display: 'Corridor, calculated from the WHO routine schedule' },
    recommendation: recommended,
  }
}

function recommendationOf(found: Forecast): ImmunizationRecommendationRecommendation {
  const { code, name } = found.vaccine
  const isOpen = found.status !== 'complete' && found.status !== 'contraindicated'
  return {
    vaccineCode: [{ coding: [{ system: cvxSystem, code, display: name }], text: name }],
    forecastStatus: forecastStatus(found.status),
    forecastReason: [{ text: `WHO schedule: ${found.series}, ${found.rule.plan}` }],
    ...(isOpen ? { dateCriterion: dateCriteria(found) } : {}),
    description: `Calculated from the doses of this record alone, not a clinical decision. ${found.explanation} Source: ${found.rule.source}.`,
    series: found.series,
    ...(found.doseNumber > 0 ? { doseNumberPositiveInt: found.doseNumber } : {}),
    ...((found.seriesDoses ?? 0) > 0 ? { seriesDosesPositiveInt: found.seriesDoses ?? 1 } : {}),
    ...(found.supporting.length === 0
      ? {}
      : { supportingImmunization: found.supporting.map(({ fhirId }) => ({ reference: `Immunization/${fhirId}` })) }),
  }
}

/** A complete series is `immune`, the status that pages show as up to date; what is not due yet has no code in R4. */
function forecastStatus(status: Forecast['status']): CodeableConcept {
  const code = status === 'complete' ? 'immune' : status
  if (code === 'upcoming') return { text: code }
  return { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/immunization-recommendation-status', code }] }
}

/** The day before the first on which it is no longer given. */
const lastDayOf = ({ tooOldFrom }: Forecast) => (tooOldFrom === undefined ? undefined : plus(tooOldFrom, '-1d'))

/** LOINC, as the R4 value set of date criteria lists them. */
function dateCriteria(found: Forecast): { code: CodeableConcept; value: string }[] {
  const criteria = [
    ['30980-7', 'Date vaccine due', found.recommended],
    ['30981-5', 'Earliest date to give', found.earliest],
    ['59778-1', 'Date when overdue for immunization', found.overdueFrom],
    ['59777-3', 'Latest date to give immunization', lastDayOf(found)],
  ] as const
  return criteria.flatMap(([code, display, value]) =>
    value === undefined ? [] : [{ code: { coding: [{ system: 'http://loinc.org', code, display }] }, value }],
  )
}
