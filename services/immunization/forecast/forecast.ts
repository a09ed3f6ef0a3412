import { latestOf, plus, type Span } from './calendar.ts'
import {
  countDoses,
  type CountedDose,
  type Counts,
  type DoseGiven,
  type NotCounted,
  type Person,
  type PossibleDose,
} from './count-doses.ts'
import { doseDays } from './dose-days.ts'
import { explanationOf } from './explanation.ts'
import type { ForecastStatus, FoundForecast, Wait } from './found-forecast.ts'
import { isDisturbing } from './live-vaccines.ts'
import { fourWeeks, schedule, type DoseRule, type Series, type SeriesId, type Vaccine } from './schedule.ts'
import { knownVaccineOf, type Antigen } from './vaccine-codes.ts'

/** What is due of one series. */
export interface Forecast extends FoundForecast {
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
  const given = possibleDoses(doses, { birthDate, today })
  return all
    .filter((series) => series.sex === undefined || series.sex === sex)
    .filter(({ id, isOptional, antigens }) => {
      const wasGiven = given.some((dose) => antigens.some((antigen) => dose.antigens.includes(antigen)))
      return isOptional !== true || include.includes(id) || wasGiven
    })
    .map((series) => forecastOf(series, { birthDate, given, today }, contraindicated.includes(series.id), all))
}

/** Those that can have been given, oldest first; of one day the vaguer last, then by id: a store has an order of its own. */
export const possibleDoses = (
  doses: readonly DoseGiven[],
  life: Pick<Person, 'birthDate' | 'today'>,
): readonly PossibleDose[] =>
  doses
    .flatMap((dose) => possibleDose(dose, life))
    .toSorted((a, b) => compare(a.from, b.from) || compare(a.to, b.to) || compare(a.fhirId, b.fhirId))

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

function possibleDose(dose: DoseGiven, life: Pick<Person, 'birthDate' | 'today'>): readonly PossibleDose[] {
  const { fhirId, isSubpotent = false, isQualified = false } = dose
  const days = doseDays(dose, life)
  const antigens = knownVaccineOf(dose)?.antigens ?? []
  const flaw = isQualified ? 'qualified' : isSubpotent ? 'subpotent' : undefined
  return days === undefined ? [] : [{ fhirId, ...days, antigens, flaw }]
}

function forecastOf(series: Series, person: Person, isContraindicated: boolean, all: readonly Series[]): Forecast {
  const counts = countDoses(series, person)
  const { counted, notCounted, plan } = counts
  const dose = series.isYearly === true ? plan.doses[0] : plan.doses[counted.length]
  const completing = dose === undefined ? counted : completingOtherwise(series, counted, person, all)
  // Who has had none was to have it as an infant, and does not become punctual by growing into the plan of a late start.
  const due = counted.length === 0 ? (series.plans[0]?.doses[0] ?? dose) : dose
  const next = completing === undefined && due !== undefined ? nextDates(series, due, counts, person) : undefined
  const supporting = completing ?? counted
  const found: FoundForecast = {
    series: series.id,
    status: isContraindicated ? 'contraindicated' : statusOf(next, person.today),
    vaccine: next === undefined ? series.give : vaccineFor(series, dose, next, person),
    doseNumber: next === undefined ? supporting.length : counted.length + 1,
    seriesDoses: series.isYearly === true ? undefined : next === undefined ? supporting.length : plan.doses.length,
    earliest: next?.earliest,
    recommended: next?.recommended,
    overdueFrom: next?.overdueFrom,
    tooOldFrom: next?.tooOldFrom,
    waitsAfter: next?.waitsAfter,
    rule: {
      ...{ plan: plan.id, dose: next === undefined ? undefined : due },
      ...{ isYearly: series.isYearly === true, source: series.source },
    },
    supporting,
    notCounted,
  }
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
  const valid = new Map(counted.map((dose) => [dose.given, dose]))
  for (const other of all) {
    if (other === series || !ways.some((needed) => other.antigens.some((antigen) => antigen in needed))) continue
    for (const dose of countDoses(other, person, 'go-on').counted) {
      if (!valid.has(dose.given)) valid.set(dose.given, dose)
    }
  }
  const inTime = [...valid.values()].toSorted((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0))
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
  readonly tooOldFrom: string | undefined
  readonly waitsAfter: Wait | undefined
}

function nextDates(
  series: Series,
  dose: DoseRule,
  { counted, notCounted }: Counts,
  { birthDate, given }: Person,
): NextDates {
  const last = counted.at(-1)?.day
  const after = (span: Span | undefined) => (last === undefined || span === undefined ? birthDate : plus(last, span))
  const yearly = series.isYearly === true ? after('1y') : birthDate
  const planned = latestOf(plus(birthDate, dose.minAge), after(dose.minInterval))
  const waits = [
    ...(series.isLive === true ? waitFor('live', liveVaccineBefore(counted, given), fourWeeks) : []),
    ...waitFor('not-counted', notCounted.findLast(isToBeRepeated), dose.minInterval ?? fourWeeks),
  ]
  const [waitsAfter] = waits.filter(({ until }) => until > planned).toSorted((a, b) => compare(b.until, a.until))
  const earliest = waitsAfter?.until ?? planned
  const recommended = latestOf(earliest, plus(birthDate, dose.recommendedAge), after(dose.recommendedInterval), yearly)
  const overdueFrom =
    dose.overdueAge === undefined
      ? plus(recommended, fourWeeks)
      : latestOf(plus(birthDate, dose.overdueAge), isFirstDay(dose) ? recommended : plus(recommended, fourWeeks))
  const tooOldFrom = series.endsAt === undefined ? undefined : plus(birthDate, series.endsAt)
  return { earliest, recommended, overdueFrom, tooOldFrom, waitsAfter }
}

function waitFor(
  because: Wait['because'],
  dose: Pick<PossibleDose, 'known' | 'from'> | undefined,
  interval: Span,
): readonly Wait[] {
  return dose === undefined ? [] : [{ because, known: dose.known, interval, until: plus(dose.from, interval) }]
}

/** What came too early disturbs the dose that repeats it, as one that counts would disturb the next. */
const isToBeRepeated = ({ why }: NotCounted): boolean => why === 'too-soon' || why === 'too-young'

/** What must be given within a day of birth has no weeks of grace. */
const isFirstDay = ({ overdueAge }: DoseRule) => overdueAge === '1d'

/** The last live vaccine, of whatever kind, but for the doses that count: from those the intervals of the plan are reckoned. */
const liveVaccineBefore = (counted: readonly CountedDose[], given: readonly PossibleDose[]): PossibleDose | undefined =>
  given.findLast((dose) => isDisturbing(dose.antigens) && !counted.some((each) => each.given === dose))

function statusOf(next: NextDates | undefined, today: string): ForecastStatus {
  if (next === undefined) return 'complete'
  const { tooOldFrom } = next
  if (tooOldFrom !== undefined && (today >= tooOldFrom || next.earliest >= tooOldFrom)) return 'too-old'
  if (today >= next.overdueFrom) return 'overdue'
  return today >= next.recommended ? 'due' : 'upcoming'
}
