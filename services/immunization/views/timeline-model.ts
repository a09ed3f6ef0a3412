import { knownOf } from '../read-model/fhir-parts.ts'
import type { PatientRecord } from '../read-model/patient-record.ts'
import { isSettled } from '../read-model/recommendation.ts'
import { daysAfter } from '../read-model/summary.ts'
import { isOnlyTold } from '../read-model/vaccination.ts'
import type { Words } from '../words/words.ts'
import { vaccineLabel } from './dose-words.tsx'

export interface Mark {
  readonly kind: 'given' | 'reported' | 'due' | 'overdue'
  /** As exactly as it is known. */
  readonly date: string
  /** From 0, the beginning, to 100. */
  readonly place: number
}

export interface Lane {
  readonly label: string
  readonly marks: readonly Mark[]
}

interface Tick {
  readonly place: number
  readonly label: string
  /** Has room on a narrow screen too. */
  readonly isMain: boolean
}

interface Timeline {
  readonly lanes: readonly Lane[]
  readonly ticks: readonly Tick[]
  readonly now: number
}

const dayMs = 86_400_000
const monthDays = 30.4375
const birthPlace = 2
const aheadDays = 365
const tickMonths = [0, 2, 4, 6, 9, 12, 24, 60, 120, 240, 480, 720, 960]
/** Of the line: what is between two of them at least, and what a letter takes. Of main ones on a telephone and on paper. */
const tickRoom = { least: 9, letter: 1.6 }
const mainTickRoom = { least: 20, letter: 2.2 }

/** A lane for each vaccine, the earliest first; undefined where no dose has a day. */
export function timelineOf(
  { patient, vaccinations, recommendations }: PatientRecord,
  today: string,
  words: Words,
): Timeline | undefined {
  const dated = vaccinations.flatMap(({ occurrenceDate, ...dose }) =>
    occurrenceDate === null
      ? []
      : [
          {
            label: vaccineLabel(dose, words),
            date: knownOf(occurrenceDate, dose.occurrencePrecision),
            kind: isOnlyTold(dose) ? ('reported' as const) : ('given' as const),
          },
        ],
  )
  const horizon = daysAfter(today, aheadDays)
  const awaited = recommendations.flatMap(({ dateCriterionDue: date, ...one }) =>
    date === null || date > horizon || isSettled({ ...one, dateCriterionDue: date })
      ? []
      : [
          {
            label: vaccineLabel(one, words),
            date,
            kind: one.forecastStatus === 'overdue' ? ('overdue' as const) : ('due' as const),
          },
        ],
  )
  const all = [...dated, ...awaited].toSorted((a, b) => (a.date < b.date ? -1 : 1))
  const first = patient.birthDate ?? all.at(0)?.date
  const last = [today, ...all.map(({ date }) => date)].toSorted().at(-1)
  if (dated.length === 0 || first === undefined || last === undefined) return undefined

  const days = (date: string) => (Date.parse(date) - Date.parse(first)) / dayMs
  const span = Math.max(days(last), 1)
  // A root scale: the first year of a grown-up is a fifth of the line instead of a thirtieth.
  const placeOf = (day: number) => rounded(Math.sqrt(Math.min(Math.max(day / span, 0), 1)) * 96 + birthPlace)
  const labels = [...new Set(all.map(({ label }) => label))]
  return {
    lanes: labels.map((label) => ({
      label,
      marks: all
        .filter((mark) => mark.label === label)
        .map(({ kind, date }) => ({ kind, date, place: placeOf(days(date)) })),
    })),
    ticks: patient.birthDate === null ? [] : ticksOf(span, placeOf, words),
    now: placeOf(days(today)),
  }
}

/** Ages, as many as have room. */
function ticksOf(spanDays: number, placeOf: (day: number) => number, words: Words) {
  const ticks: Tick[] = []
  for (const months of tickMonths) {
    if (months * monthDays > spanDays) break
    const place = placeOf(months * monthDays)
    const label = months === 0 ? words.text('birth') : ageLabel(months, words)
    const isFarFrom = (other: Tick | undefined, room: typeof tickRoom) =>
      other === undefined || place - other.place >= Math.max(room.least, room.letter * lettersBetween(other, label))
    if (!isFarFrom(ticks.at(-1), tickRoom)) continue
    const isMain = isFarFrom(
      ticks.findLast((tick) => tick.isMain),
      mainTickRoom,
    )
    ticks.push({ place, label, isMain })
  }
  return ticks
}

/** Each stands in the middle of its place; birth begins there. */
const lettersBetween = (before: Tick, label: string): number =>
  before.label.length / (before.place === birthPlace ? 1 : 2) + label.length / 2

const ageLabel = (months: number, { span }: Words): string =>
  months < 24 ? span(months, 'month', 'short') : span(months / 12, 'year', 'short')

const rounded = (value: number) => Math.round(value * 10) / 10
