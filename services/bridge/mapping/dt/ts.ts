import { startsBeforeEnd } from '../../../../packages/fhir/date.ts'
import type { Period } from '../../../../packages/fhir/r4.ts'
import { fhirDateTime, readTimestamp, type Part, type Timestamp } from '../../../../packages/hl7/index.ts'
import { type At, warnAt } from '../at.ts'

/** TS, DTM, DT as dateTime: precision and offset kept; without offset the facility's zone. */
export function dateTime(part: Part | undefined, place: At): string | undefined {
  const read = timestamp(part, place)
  return read && dateTimeOf(read, place)
}

/** As date: the time of day is left out. */
export function date(part: Part | undefined, place: At): string | undefined {
  return timestamp(part, place)?.date
}

/** As instant, which needs everything down to the second: what is missing is filled up, with a warning. */
export function instant(part: Part | undefined, place: At): string | undefined {
  const read = timestamp(part, place)
  if (read === undefined) return undefined
  if (read.precision === 'second' || read.precision === 'fraction') return dateTimeOf(read, place)
  warnAt(place, 'bad-date', 'FHIR needs the time to the second here; what was missing is taken as zero.')
  return beginningOf(read, place)
}

/** The first second of a time that may be told to the day or the year alone. */
export function beginningOf(read: Timestamp, place: At): string {
  // `2026` and `2026-03` both become a whole day this way.
  const day = `${read.date}-01-01`.slice(0, 10)
  return dateTimeOf({ ...read, date: day, time: read.time ?? '00:00:00' }, place)
}

/** A timestamp that was already read, as dateTime. */
export const dateTimeOf = (read: Timestamp, { draft }: At): string => fhirDateTime(read, draft.context.zone)

/** Both ends of a period, where either is known. */
export function periodOf(start: Timestamp | undefined, end: Timestamp | undefined, place: At): Period | undefined {
  if (start === undefined && end === undefined) return undefined
  const period = {
    ...(start === undefined ? {} : { start: dateTimeOf(start, place) }),
    ...(end === undefined ? {} : { end: dateTimeOf(end, place) }),
  }
  if (isOrdered(period)) return period
  warnAt(place, 'bad-date', 'The end lies before the start, so this is no period.')
  return undefined
}

/** R4 wants a period to end after it starts. */
export const isOrdered = ({ start, end }: Period): boolean =>
  start === undefined || end === undefined || startsBeforeEnd(start, end)

export function timestamp(part: Part | undefined, place: At): Timestamp | undefined {
  const text = part?.text(1)
  if (part === undefined || text === undefined) return undefined
  const read = readTimestamp(part)
  if (read !== undefined && isOffsetOfFhir(read.offset)) return read
  // Zeros are how senders write that they do not know.
  if (!/^[0\s]*$/.test(text)) warnAt(place, 'bad-date', 'This is not a date that HL7 allows; it was left out.')
  return undefined
}

/** R4 knows no offset beyond 14:00. */
export const isOffsetOfFhir = (offset = ''): boolean => !/14:(?!00)/.test(offset)
