import type { Immunization, ImmunizationRecommendation } from '../../../packages/fhir/r4.ts'
import { forecast, type Forecast } from '../forecast/forecast.ts'
import { calculatedTag, toImmunizationRecommendation } from '../forecast/immunization-recommendation.ts'
import type { StoredRecord } from './patient-record.ts'
import { vaccinationOf } from './vaccination.ts'

/** A forecast of our own and, where the store has one from before, that one. */
export interface OwnForecast {
  readonly calculated: ImmunizationRecommendation
  /** What each of its entries says, in the same order. */
  readonly forecasts: readonly Forecast[]
  readonly stored: ImmunizationRecommendation | undefined
}

/**
 * What we work out where nobody has recommended anything. What we stored before does not count as somebody's word: it was
 * right on its day, and today's is worked out afresh. Nothing where the token may not see enough to be right, and nothing
 * for who has died.
 */
export function ownForecast(
  { patient, immunizations, recommendations }: StoredRecord,
  now: { readonly today: string; readonly date: Date },
): OwnForecast | undefined {
  if (recommendations === null || immunizations === null || patient.birthDate === null) return undefined
  if (patient.death !== null) return undefined
  if (!recommendations.every(isCalculated)) return undefined
  // What is no longer given at this age is no recommendation.
  const forecasts = forecast(patient.birthDate, patient.sex, dosesOf(immunizations), now.today).filter(
    ({ status }) => status !== 'too-old',
  )
  const calculated = toImmunizationRecommendation(forecasts, { patient: `Patient/${patient.id}`, date: now.date })
  return calculated === undefined ? undefined : { calculated, forecasts, stored: recommendations.at(0) }
}

/** Made by this app, by an earlier visit or another copy. */
export const isCalculated = ({ meta }: ImmunizationRecommendation): boolean =>
  meta?.tag?.some(({ system, code }) => system === calculatedTag.system && code === calculatedTag.code) === true

const dosesOf = (immunizations: readonly Immunization[]) =>
  immunizations
    .filter(({ status }) => status === 'completed')
    .map(vaccinationOf)
    .map((dose) => ({ ...dose, fhirId: dose.fhirId ?? '' }))
