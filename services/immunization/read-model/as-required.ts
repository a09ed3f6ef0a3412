import type {
  Immunization,
  ImmunizationPerformer,
  ImmunizationRecommendation,
  ImmunizationRecommendationRecommendation as Entry,
} from '../../../packages/fhir/r4.ts'

/**
 * What R4 requires, and what many servers take without: one resource that lacks something must not keep all the others of
 * the patient from being shown. What is missing is empty.
 */
export const asImmunization = (found: Partial<Immunization> & Pick<Immunization, 'patient'>): Immunization => ({
  ...found,
  resourceType: 'Immunization',
  // Nobody says that it was given.
  status: found.status ?? 'not-done',
  vaccineCode: found.vaccineCode ?? {},
  performer: (found.performer ?? []).filter(({ actor }: Partial<ImmunizationPerformer>) => actor !== undefined),
})

/** The same of what is recommended. */
export const asRecommendation = (
  found: Partial<ImmunizationRecommendation> & Pick<ImmunizationRecommendation, 'patient'>,
): ImmunizationRecommendation => ({
  ...found,
  resourceType: 'ImmunizationRecommendation',
  date: found.date ?? '',
  recommendation: (found.recommendation ?? []).map(asEntry),
})

const asEntry = (entry: Partial<Entry>): Entry => ({
  ...entry,
  forecastStatus: entry.forecastStatus ?? {},
  // Not where there is none: what we stored is compared with what we would store now.
  ...(entry.dateCriterion === undefined ? {} : { dateCriterion: entry.dateCriterion.filter(hasCode) }),
})

const hasCode = ({ code }: Partial<Criterion>) => code !== undefined

type Criterion = NonNullable<Entry['dateCriterion']>[number]
