import { latestOf, plus, type Span } from './calendar.ts'
import { countDoses, type CountedDose, type DoseGiven, type NotCounted } from './count-doses.ts'
import { explanationOf } from './explanation.ts'
import { fourWeeks, schedule, type DoseRule, type Series, type SeriesId, type Vaccine } from './schedule.ts'
import { knownVaccine, type Antigen } from './vaccine-codes.ts'

export type { DoseGiven } from './count-doses.ts'

/**
 * `upcoming`: not yet recommended; `complete`: nothing more is needed; `too-old`: no longer given at this age;
 * `contraindicated`: somebody said that it must not be given.
 */
export type ForecastStatus = 'overdue' | 'due' | 'upcoming' | 'complete' | 'too-old' | 'contraindicated'

export interface Forecast {
  readonly series: SeriesId
  readonly status: ForecastStatus
  /** What to give next, by CVX; for a complete series what it consists of. */
  readonly vaccine: Vaccine
  /** The next dose, from 1; for a complete series the number of its doses. */
  readonly doseNumber: number
  /** Undefined for what is given every year. */
  readonly seriesDoses: number | undefined
  /** All are YYYY-MM-DD and undefined when there is no next dose. */
  readonly earliest: string | undefined
  readonly recommended: string | undefined
  /** The first day on which it is overdue. */
  readonly overdueFrom: string | undefined
  /** The first day on which it is no longer given. */
  readonly tooOldFrom: string | undefined
  /** The row of the schedule that decided: the series, the plan in it, the dose. */
  readonly rule: { readonly plan: string; readonly dose: DoseRule | undefined; readonly source: string }
  /** The doses that count, oldest first. */
  readonly supporting: readonly CountedDose[]
  readonly notCounted: readonly NotCounted[]
  /** Why, in English sentences. */
  readonly explanation: string
}

export interface ForecastOptions {
  /** Optional series that the programme has, such as yellow fever. */
  readonly include?: readonly SeriesId[]
  readonly contraindicated?: readonly SeriesId[]
  readonly series?: readonly Series[]
}

/** What is due for a person, one forecast a series in the order of the schedule. The same answer for the same input. */
export function forecast(
  birthDate: string,
  sex: string | null,
  doses: readonly DoseGiven[],
  today: string,
  options: ForecastOptions = {},
): readonly Forecast[] {
  const { include = [], contraindicated = [], series: all = schedule } = options
  const given = doses
    .filter(({ occurrenceDate }) => occurrenceDate !== null && occurrenceDate <= today && occurrenceDate >= birthDate)
    .map((dose) => ({ ...dose, day: dose.occurrenceDate ?? '', antigens: antigensOf(dose) }))
    .toSorted((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0))
  return all
    .filter((series) => series.sex === undefined || series.sex === sex)
    .filter(({ id, isOptional, antigens }) => {
      const wasGiven = given.some((dose) => antigens.some((antigen) => dose.antigens.includes(antigen)))
      return isOptional !== true || include.includes(id) || wasGiven
    })
    .map((series) => forecastOf(series, { birthDate, given, today }, contraindicated.includes(series.id), all))
}

export interface Person {
  readonly birthDate: string
  /** Oldest first. */
  readonly given: readonly CountedDose[]
  readonly today: string
}

const antigensOf = ({ vaccineSystem, vaccineCode }: DoseGiven) =>
  knownVaccine(vaccineSystem, vaccineCode)?.antigens ?? []

function forecastOf(series: Series, person: Person, isContraindicated: boolean, all: readonly Series[]): Forecast {
  const { counted, notCounted, plan } = countDoses(series, person)
  const dose = series.isYearly === true ? plan.doses[0] : plan.doses[counted.length]
  const completing = dose === undefined ? counted : completingOtherwise(series, counted, person, all)
  // Who has had none was to have it as an infant, and does not become punctual by growing into the plan of a late start.
  const due = counted.length === 0 ? (series.plans[0]?.doses[0] ?? dose) : dose
  const next = completing === undefined && due !== undefined ? nextDates(series, due, counted, person) : undefined
  const supporting = completing ?? counted
  const found = {
    series: series.id,
    status: isContraindicated ? 'contraindicated' : statusOf(next, person.today),
    vaccine: next === undefined ? series.give : vaccineFor(series, dose, next, person),
    doseNumber: next === undefined ? supporting.length : counted.length + 1,
    seriesDoses: series.isYearly === true ? undefined : next === undefined ? supporting.length : plan.doses.length,
    earliest: next?.earliest,
    recommended: next?.recommended,
    overdueFrom: next?.overdueFrom,
    tooOldFrom: next?.tooOldFrom,
    rule: { plan: plan.id, dose: next === undefined ? undefined : due, source: series.source },
    supporting,
    notCounted,
  } as const
  return { ...found, explanation: explanationOf(found, series) }
}

function vaccineFor(series: Series, dose: DoseRule | undefined, next: NextDates, person: Person): Vaccine {
  const { birthDate, today } = person
  const forOlder = [series.giveFrom, dose?.giveFrom].find(
    (from) => from !== undefined && latestOf(today, next.earliest) >= plus(birthDate, from.age),
  )
  return forOlder?.vaccine ?? dose?.give ?? series.give
}

/**
 * The doses that prevent the same disease on another schedule, such as three of inactivated polio vaccine and no oral
 * one. Each has to count by the rules of its own series, which may want fewer of them.
 */
function completingOtherwise(
  series: Series,
  counted: readonly CountedDose[],
  person: Person,
  all: readonly Series[],
): readonly CountedDose[] | undefined {
  const ways = series.completeWith ?? []
  const valid = new Set(counted)
  for (const other of all) {
    if (other === series || !ways.some((needed) => other.antigens.some((antigen) => antigen in needed))) continue
    for (const dose of countDoses(other, person, 'go-on').counted) valid.add(dose)
  }
  const inTime = person.given.filter((dose) => valid.has(dose))
  const inOrder = (needed: Partial<Record<Antigen, number>>): readonly CountedDose[] | undefined => {
    const found: CountedDose[] = []
    for (const [antigen, count] of Object.entries(needed)) {
      const since = found.at(-1)?.day ?? ''
      const doses = inTime.filter(({ antigens, day }) => antigens.some((each) => each === antigen) && day > since)
      if (doses.length < count) return undefined
      found.push(...doses.slice(0, count))
    }
    return found
  }
  return ways.map(inOrder).find((found) => found !== undefined)
}

interface NextDates {
  readonly earliest: string
  readonly recommended: string
  readonly overdueFrom: string
  readonly tooOldFrom: string
}

function nextDates(
  series: Series,
  dose: DoseRule,
  counted: readonly CountedDose[],
  { birthDate, given }: Person,
): NextDates {
  const last = counted.at(-1)?.day
  const after = (span: Span | undefined) => (last === undefined || span === undefined ? birthDate : plus(last, span))
  const yearly = series.isYearly === true ? after('1y') : birthDate
  const earliest = latestOf(
    plus(birthDate, dose.minAge),
    after(dose.minInterval),
    series.isLive === true ? afterLiveVaccine(series, birthDate, given) : birthDate,
  )
  const recommended = latestOf(earliest, plus(birthDate, dose.recommendedAge), after(dose.recommendedInterval), yearly)
  const overdueFrom =
    dose.overdueAge === undefined
      ? plus(recommended, fourWeeks)
      : latestOf(plus(birthDate, dose.overdueAge), isFirstDay(dose) ? recommended : plus(recommended, fourWeeks))
  return { earliest, recommended, overdueFrom, tooOldFrom: plus(birthDate, series.endsAt) }
}

/** What must be given within a day of birth has no weeks of grace. */
const isFirstDay = ({ overdueAge }: DoseRule) => overdueAge === '1d'

/** Two live vaccines on different days disturb each other unless four weeks lie between them; those by mouth do not. */
function afterLiveVaccine(series: Series, birthDate: string, given: readonly CountedDose[]): string {
  const others = given.filter(
    ({ antigens }) =>
      antigens.some((antigen) => disturbing.has(antigen)) &&
      !series.antigens.some((antigen) => antigens.includes(antigen)),
  )
  const last = others.at(-1)?.day
  return last === undefined ? birthDate : plus(last, fourWeeks)
}

const disturbing = new Set<Antigen>(['measles', 'mumps', 'rubella', 'varicella', 'yellow-fever', 'live-influenza'])

function statusOf(next: NextDates | undefined, today: string): ForecastStatus {
  if (next === undefined) return 'complete'
  if (today >= next.tooOldFrom || next.earliest >= next.tooOldFrom) return 'too-old'
  if (today >= next.overdueFrom) return 'overdue'
  return today >= next.recommended ? 'due' : 'upcoming'
}
