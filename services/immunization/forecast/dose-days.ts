import { knownOf, type Precision } from '../read-model/fhir-parts.ts'
import { latestOf, plus } from './calendar.ts'

/** When a dose was given, as a record says it. */
export interface DatedDose {
  /** YYYY-MM-DD; of a year or a month the first day. */
  readonly occurrenceDate: string | null
  /** How much of it is known; nothing said is the day. */
  readonly occurrencePrecision?: Precision | null
}

/** What is known of the day of a dose, and the days on which it may have been given. All are inclusive. */
export interface DoseDays {
  /** YYYY, YYYY-MM or YYYY-MM-DD: what people read. */
  readonly known: string
  readonly from: string
  readonly to: string
}

/** Within a life so far; undefined where no day is possible. */
export function doseDays(
  { occurrenceDate, occurrencePrecision = null }: DatedDose,
  { birthDate, today }: { readonly birthDate: string; readonly today: string },
): DoseDays | undefined {
  if (occurrenceDate === null) return undefined
  const known = knownOf(occurrenceDate, occurrencePrecision)
  const last = lastDayOf(known)
  const from = latestOf(occurrenceDate, birthDate)
  const to = last < today ? last : today
  return from > to ? undefined : { known, from, to }
}

/** Compared as far as the day is known: a child of June can have had a dose in that year. */
export const isAfter = (known: string, day: string): boolean => known > day.slice(0, known.length)
export const isBefore = (known: string, day: string): boolean => known < day.slice(0, known.length)

function lastDayOf(known: string): string {
  if (known.length === 4) return `${known}-12-31`
  return known.length === 7 ? plus(plus(`${known}-01`, '1m'), '-1d') : known
}
