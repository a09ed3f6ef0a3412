import { latestOf, plus, spanText } from './calendar.ts'
import type { Person } from './forecast.ts'
import type { DoseRule, Plan, Series } from './schedule.ts'
import type { Antigen } from './vaccine-codes.ts'

/** A vaccination record as the forecast reads it. */
export interface DoseGiven {
  readonly fhirId: string
  readonly vaccineCode: string | null
  readonly vaccineSystem: string | null
  /** YYYY-MM-DD. */
  readonly occurrenceDate: string | null
  /** Known to have been too weak to protect. */
  readonly isSubpotent?: boolean
}

export interface CountedDose {
  readonly fhirId: string
  readonly day: string
  readonly antigens: readonly Antigen[]
  readonly isSubpotent?: boolean
}

export interface NotCounted {
  readonly fhirId: string
  readonly day: string
  readonly why: 'too-young' | 'too-soon' | 'same-day' | 'subpotent' | 'more-than-needed'
  /** In English. */
  readonly reason: string
  /** The first day on which it would have counted. */
  readonly countsFrom: string | undefined
}

interface Counts {
  readonly plan: Plan
  readonly counted: readonly CountedDose[]
  readonly notCounted: readonly NotCounted[]
}

/**
 * Goes through the doses of a series, oldest first, and takes each that fits the next place of the plan. Beyond its last
 * place none is needed; who asks for more of them than the plan does goes on by the rule of that place.
 */
export function countDoses(series: Series, person: Person, beyond: 'stop' | 'go-on' = 'stop'): Counts {
  const doses = dosesOf(series, person)
  const start = doses.find(({ isSubpotent }) => isSubpotent !== true)
  const plan = planFor(series, start?.day ?? person.today, person)
  const counted: CountedDose[] = []
  const notCounted: NotCounted[] = []
  for (const dose of doses) {
    const place = series.isYearly === true ? 0 : counted.length
    const rule = plan.doses[place] ?? (beyond === 'go-on' ? plan.doses.at(-1) : undefined)
    const fault = whyNot(dose, rule, counted, person)
    if (fault === undefined) counted.push(dose)
    else notCounted.push({ fhirId: dose.fhirId, day: dose.day, ...fault })
  }
  return { plan, counted, notCounted }
}

function dosesOf(series: Series, { birthDate, given }: Person): readonly CountedDose[] {
  const { alsoFrom, extraBefore } = series
  const has = (dose: CountedDose, antigens: readonly Antigen[]) => antigens.some((each) => dose.antigens.includes(each))
  return given
    .filter(({ day }) => extraBefore === undefined || day >= plus(birthDate, extraBefore))
    .filter(
      (dose) =>
        has(dose, series.antigens) ||
        (alsoFrom !== undefined && dose.day >= plus(birthDate, alsoFrom.age) && has(dose, alsoFrom.antigens)),
    )
}

/** The plan of those who start, or would start today, at this age. */
function planFor(series: Series, startDay: string, { birthDate }: Person): Plan {
  const fitting = series.plans.filter(({ startsFrom }) => startDay >= plus(birthDate, startsFrom))
  const plan = fitting.at(-1) ?? series.plans[0]
  // Every series of the table has a plan from birth; an own table without one has nothing to say.
  return plan ?? { id: 'none', startsFrom: '0d', doses: [] }
}

function whyNot(
  dose: CountedDose,
  rule: DoseRule | undefined,
  counted: readonly CountedDose[],
  { birthDate }: Person,
): Omit<NotCounted, 'fhirId' | 'day'> | undefined {
  if (dose.isSubpotent === true) {
    return { why: 'subpotent', reason: 'it was not of full potency', countsFrom: undefined }
  }
  const last = counted.at(-1)?.day
  if (last === dose.day) {
    return { why: 'same-day', reason: 'another dose of the same day counts', countsFrom: undefined }
  }
  if (rule === undefined) {
    return { why: 'more-than-needed', reason: 'the series was complete before', countsFrom: undefined }
  }
  const oldEnough = plus(birthDate, rule.minAge)
  const lateEnough = last === undefined || rule.minInterval === undefined ? birthDate : plus(last, rule.minInterval)
  const countsFrom = latestOf(oldEnough, lateEnough)
  if (dose.day < oldEnough) {
    return { why: 'too-young', reason: `given before the age of ${spanText(rule.minAge)}`, countsFrom }
  }
  if (dose.day < lateEnough) {
    const interval = spanText(rule.minInterval ?? '0d')
    return { why: 'too-soon', reason: `given less than ${interval} after the dose before`, countsFrom }
  }
  return undefined
}
