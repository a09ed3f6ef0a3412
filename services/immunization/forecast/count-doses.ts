import { latestOf, plus, spanText, type Span } from './calendar.ts'
import type { DatedDose, DoseDays } from './dose-days.ts'
import type { DoseRule, Plan, Series } from './schedule.ts'
import type { Antigen, CodedVaccine } from './vaccine-codes.ts'

/** A vaccination record as the forecast reads it. */
export interface DoseGiven extends DatedDose, CodedVaccine {
  readonly fhirId: string
  /** Known to have been too weak to protect. */
  readonly isSubpotent?: boolean
  /** What it says is changed by something that nobody here understands. */
  readonly isQualified?: boolean
}

/** One that can have been given, and what it protects against. */
export interface PossibleDose extends DoseDays {
  readonly fhirId: string
  readonly antigens: readonly Antigen[]
  /** Why it counts on none of its days. */
  readonly flaw?: Flaw | undefined
}

export type Flaw = 'subpotent' | 'qualified'

export interface Person {
  readonly birthDate: string
  /** Oldest first. */
  readonly given: readonly PossibleDose[]
  readonly today: string
}

export interface CountedDose {
  readonly fhirId: string
  /** What is known of its day. */
  readonly known: string
  /** Of the days on which it may have been given the first on which it counts: what later doses are reckoned from. */
  readonly day: string
  readonly antigens: readonly Antigen[]
  readonly given: PossibleDose
}

export interface NotCounted {
  readonly fhirId: string
  /** What is known of its day. */
  readonly known: string
  /** The first day on which it may have been given. */
  readonly from: string
  readonly why: 'extra' | 'too-young' | 'too-soon' | 'same-day' | Flaw | 'more-than-needed'
  /** In English. */
  readonly reason: string
  /** The first day on which it would have counted. */
  readonly countsFrom: string | undefined
}

export interface Counts {
  readonly plan: Plan
  readonly counted: readonly CountedDose[]
  readonly notCounted: readonly NotCounted[]
}

/**
 * Goes through the doses of a series, oldest first, and takes each that fits the next place of the plan. Beyond its last
 * place none is needed; who asks for more of them than the plan does goes on by the rule of that place. A dose of which
 * only the month or the year is known counts if it would on any of its days.
 */
export function countDoses(series: Series, person: Person, beyond: 'stop' | 'go-on' = 'stop'): Counts {
  const { doses, extras } = dosesOf(series, person)
  const [youngest] = series.plans[0]?.doses ?? []
  const firstPlace = youngest === undefined ? undefined : placeBy(youngest, undefined, person)
  const isTooYoung = ({ to }: SeriesDose) => firstPlace !== undefined && to < firstPlace.oldEnough
  // What counts in no plan chooses none: neither a dose that was too weak nor one before the youngest age.
  const start = doses.find((dose) => dose.flaw === undefined && !isTooYoung(dose))
  const plan = planFor(series, start?.from ?? person.today, person)
  const counted: CountedDose[] = []
  const notCounted: NotCounted[] = [...extras]
  const placeAt = (place: number, last: string | undefined): Place | undefined => {
    const rule =
      plan.doses[series.isYearly === true ? 0 : place] ?? (beyond === 'go-on' ? plan.doses.at(-1) : undefined)
    return rule === undefined ? undefined : placeBy(rule, last, person)
  }
  // The next one last: what is taken from the end moves nothing, however long a record is.
  const open = doses.toSorted((a, b) => (a.to < b.to ? -1 : a.to > b.to ? 1 : 0)).toReversed()
  while (open.length > 0) {
    const place = placeAt(counted.length, counted.at(-1)?.day)
    const placeAfter = (day: string) => placeAt(counted.length + 1, day)
    const [dose] = open.splice(nextOf(open, place, placeAfter), 1)
    if (dose === undefined) break
    const fault = whyNot(dose, isTooYoung(dose) ? firstPlace : place, counted.at(-1))
    const { fhirId, known, from, antigens, given } = dose
    if (fault === undefined) counted.push({ fhirId, known, antigens, given, day: dayIn(dose, place) })
    else notCounted.push({ fhirId, known, from, ...fault })
  }
  return { plan, counted, notCounted }
}

/** The next place of a plan, and from when on a dose can take it. */
interface Place {
  readonly rule: DoseRule
  readonly oldEnough: string
  readonly lateEnough: string
  readonly countsFrom: string
}

function placeBy(rule: DoseRule, last: string | undefined, { birthDate }: Person): Place {
  const oldEnough = plus(birthDate, rule.minAge)
  const lateEnough = last === undefined || rule.minInterval === undefined ? birthDate : plus(last, rule.minInterval)
  return { rule, oldEnough, lateEnough, countsFrom: latestOf(oldEnough, lateEnough) }
}

const dayIn = ({ from }: DoseDays, place: Place | undefined): string => latestOf(from, place?.countsFrom ?? from)

/** A dose within a series, where some of its days may not count at all. */
interface SeriesDose extends PossibleDose {
  readonly given: PossibleDose
}

/** Which of the open doses is next: the one that ends first, unless a vaguer one fits before it and leaves it its place. */
function nextOf(
  open: readonly SeriesDose[],
  place: Place | undefined,
  placeAfter: (day: string) => Place | undefined,
): number {
  const last = open.length - 1
  const first = open[last]
  if (first === undefined || !fits(first, place)) return last
  const others = open.slice(-lookAheadMax, last)
  const sooner = others.findLastIndex(
    (dose) => dose.from < dose.to && fits(dose, place) && fits(first, placeAfter(dayIn(dose, place))),
  )
  return sooner === -1 ? last : last - others.length + sooner
}

/** More doses of one series than this have no place in a plan. */
const lookAheadMax = 50

const fits = ({ to, flaw }: SeriesDose, place: Place | undefined): boolean =>
  place !== undefined && to >= place.countsFrom && flaw === undefined

/**
 * The doses of a series from the day on which it counts them, and those that were over before: extra ones, that no plan
 * counts and nothing is wrong with. Who gave one has to read that it was not overlooked.
 */
function dosesOf(
  { antigens, alsoFrom, extraBefore = '0d' }: Series,
  { birthDate, given }: Person,
): { readonly doses: readonly SeriesDose[]; readonly extras: readonly NotCounted[] } {
  const doses: SeriesDose[] = []
  const extras: NotCounted[] = []
  const has = (dose: PossibleDose, some: readonly Antigen[] = []) => some.some((each) => dose.antigens.includes(each))
  for (const dose of given) {
    const isOwn = has(dose, antigens)
    if (!isOwn && !has(dose, alsoFrom?.antigens)) continue
    const age = isOwn ? '0d' : (alsoFrom?.age ?? '0d')
    const from = latestOf(dose.from, plus(birthDate, extraBefore), plus(birthDate, age))
    if (from <= dose.to) doses.push({ ...dose, from, given: dose })
    else if (isOwn) extras.push(extra(dose, extraBefore))
  }
  return { doses, extras }
}

const extra = ({ fhirId, known, from }: PossibleDose, until: Span): NotCounted => ({
  ...{ fhirId, known, from, why: 'extra', countsFrom: undefined },
  reason: `it is an extra one, given before the age of ${spanText(until)}`,
})

/** The plan of those who start, or would start today, at this age. */
function planFor(series: Series, startDay: string, { birthDate }: Person): Plan {
  const fitting = series.plans.filter(({ startsFrom }) => startDay >= plus(birthDate, startsFrom))
  const plan = fitting.at(-1) ?? series.plans[0]
  // Every series of the table has a plan from birth; an own table without one has nothing to say.
  return plan ?? { id: 'none', startsFrom: '0d', doses: [] }
}

function whyNot(
  dose: SeriesDose,
  place: Place | undefined,
  last: CountedDose | undefined,
): Omit<NotCounted, 'fhirId' | 'known' | 'from'> | undefined {
  if (dose.flaw !== undefined) return { why: dose.flaw, reason: flawText[dose.flaw], countsFrom: undefined }
  if (last !== undefined && isOneDay(dose) && isOneDay(last.given) && last.day === dose.from) {
    return { why: 'same-day', reason: 'another dose of the same day counts', countsFrom: undefined }
  }
  if (place === undefined) {
    return { why: 'more-than-needed', reason: 'the series was complete before', countsFrom: undefined }
  }
  const { rule, oldEnough, lateEnough, countsFrom } = place
  if (dose.to < oldEnough) {
    return { why: 'too-young', reason: `given before the age of ${spanText(rule.minAge)}`, countsFrom }
  }
  if (dose.to < lateEnough) {
    const interval = spanText(rule.minInterval ?? '0d')
    return { why: 'too-soon', reason: `given less than ${interval} after the dose before`, countsFrom }
  }
  return undefined
}

const flawText: Readonly<Record<Flaw, string>> = {
  subpotent: 'it was not of full potency',
  qualified: 'its record says something that is not understood here',
}

const isOneDay = ({ from, to }: DoseDays): boolean => from === to
