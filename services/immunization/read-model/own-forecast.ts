import type { Immunization, ImmunizationRecommendation } from '../../../packages/fhir/r4.ts'
import { forecast, type Forecast } from '../forecast/forecast.ts'
import { calculatedTag, toImmunizationRecommendation } from '../forecast/immunization-recommendation.ts'
import type { SeriesId } from '../forecast/schedule.ts'
import type { StoredRecord, UnplannedReason } from './patient-record.ts'
import { vaccinationOf } from './vaccination.ts'

/** A forecast of our own, and those that the store has from before. */
export interface OwnForecast {
  readonly calculated: ImmunizationRecommendation
  /** What each of its entries says, in the same order. */
  readonly forecasts: readonly Forecast[]
  /** One, or several where records of one person were merged that each had one. */
  readonly stored: readonly ImmunizationRecommendation[]
}

/** Why there is none of ours: somebody has recommended something, or the token may not see enough to be right. */
export type NoForecast = 'recommended' | 'not-seen' | UnplannedReason

/**
 * What we work out where nobody has recommended anything. What we stored before does not count as somebody's word: it was
 * right on its day, and today's is worked out afresh. Else why there is none.
 */
export function ownForecast(
  { patient, isPatientSeen, immunizations, recommendations }: StoredRecord,
  now: { readonly today: string; readonly date: Date },
  programme: readonly SeriesId[],
): OwnForecast | NoForecast {
  if (!isPatientSeen || recommendations === null || immunizations === null) return 'not-seen'
  if (!recommendations.every(isCalculated)) return 'recommended'
  // Its doses are the survivor's by now: everything would be overdue, and that forecast would go there, too.
  if (patient.isReplaced) return 'merged'
  if (patient.death !== null) return 'died'
  if (patient.birthDate === null) return 'no-birth-date'
  const doses = dosesOf(immunizations)
  const all = forecast(patient.birthDate, patient.sex, doses, now.today, { include: programme })
  // What is no longer given at this age is no recommendation.
  const forecasts = all.filter(({ status }) => status !== 'too-old')
  const calculated = toImmunizationRecommendation(forecasts, { patient: `Patient/${patient.id}`, date: now.date })
  return calculated === undefined ? 'nothing-at-this-age' : { calculated, forecasts, stored: recommendations }
}

/** Made by this app, by an earlier visit or another copy. */
export const isCalculated = ({ meta }: ImmunizationRecommendation): boolean =>
  meta?.tag?.some(({ system, code }) => system === calculatedTag.system && code === calculatedTag.code) === true

const dosesOf = (immunizations: readonly Immunization[]) =>
  immunizations
    .filter(({ status }) => status === 'completed')
    .map(vaccinationOf)
    .map((dose) => ({ ...dose, fhirId: dose.fhirId ?? '' }))
