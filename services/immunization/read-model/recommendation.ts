import type {
  ImmunizationRecommendation,
  ImmunizationRecommendationRecommendation as Entry,
} from '../../../packages/fhir/r4.ts'
import type { Forecast } from '../forecast/forecast.ts'
import { countOf, dayOf, filled, vaccineOf, type VaccineName } from './fhir-parts.ts'

/** What should be given next: the members of the specification, and whether we have calculated it ourselves. */
export interface Recommendation extends VaccineName {
  readonly fhirId: string | null
  readonly forecastStatus: string | null
  readonly dateCriterionDue: string | null
  readonly dateCriterionLatest: string | null
  readonly doseNumber: string | null
  readonly seriesName: string | null
  readonly seriesDosesRequired: string | null
  readonly supportingImmunizationRefs: readonly string[]
  readonly description: string | null
  readonly calculated: boolean
  /** How we came to it, where we have calculated it: for pages, which say it in the reader's language. */
  readonly reason?: Forecast
}

/** One for each entry of a resource. */
export function recommendationsOf(resource: ImmunizationRecommendation): Recommendation[] {
  return resource.recommendation.map((entry) => ({
    fhirId: filled(resource.id),
    ...vaccineOf(entry.vaccineCode ?? (entry.targetDisease === undefined ? [] : [entry.targetDisease])),
    forecastStatus: statusOf(entry),
    dateCriterionDue: firstDay(entry, dueCodes),
    dateCriterionLatest: firstDay(entry, latestCodes),
    doseNumber: countOf(entry.doseNumberPositiveInt, entry.doseNumberString),
    seriesName: filled(entry.series),
    seriesDosesRequired: countOf(entry.seriesDosesPositiveInt, entry.seriesDosesString),
    supportingImmunizationRefs: (entry.supportingImmunization ?? []).flatMap(({ reference }) => referenceOf(reference)),
    description: filled(entry.description),
    calculated: false,
  }))
}

/** Overdue first, then by the day it is due, unknown days last. */
export function mostUrgentFirst(some: Recommendation, other: Recommendation): number {
  const byStatus = Number(isOverdue(other)) - Number(isOverdue(some))
  return byStatus !== 0 ? byStatus : dueOrLast(some).localeCompare(dueOrLast(other))
}

/** Worked out by this app, as a whole or not at all. */
export const areCalculated = (recommendations: readonly Recommendation[]): boolean =>
  recommendations.some(({ calculated }) => calculated)

export const isOverdue = ({ forecastStatus }: Recommendation): boolean => forecastStatus === 'overdue'

/** Nothing is to be given: protected, finished, or not allowed. */
export const isSettled = ({ forecastStatus }: Recommendation): boolean =>
  forecastStatus !== null && ['immune', 'complete', 'contraindicated'].includes(forecastStatus)

// LOINC: the day it is due, the earliest day, the day it is overdue. What follows is what some servers write instead.
const dueCodes = ['30980-7', '30981-5', '59778-1', '30100', 'due', 'earliest']
const latestCodes = ['59777-3', '30101', 'latest']

/** The first code of the list that the entry has a day for. */
function firstDay({ dateCriterion = [] }: Entry, codes: readonly string[]): string | null {
  for (const code of codes) {
    const found = dateCriterion.find((criterion) => criterion.code.coding?.some((coding) => coding.code === code))
    const day = dayOf(found?.value)?.day
    if (day !== undefined) return day
  }
  return null
}

const statusOf = ({ forecastStatus }: Entry): string | null =>
  filled(forecastStatus.coding?.at(0)?.code)?.toLowerCase() ?? filled(forecastStatus.text)

/** As `Immunization/<id>`, whatever address and version stand around it. */
function referenceOf(reference: string | undefined): string[] {
  const found = /(?:^|\/)(Immunization\/[A-Za-z0-9.-]{1,64})(?:\/_history\/|$)/.exec(reference ?? '')?.[1]
  return found === undefined ? [] : [found]
}

const dueOrLast = ({ dateCriterionDue }: Recommendation) => dateCriterionDue ?? '9999-99-99'
