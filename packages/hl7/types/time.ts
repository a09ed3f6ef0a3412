import type { Part } from '../part.ts'

export type Precision = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second' | 'fraction'

/** A point in time exactly as far as the sender knew it. */
export interface Timestamp {
  readonly precision: Precision
  /** `2026`, `2026-03` or `2026-03-04`: a FHIR date. */
  readonly date: string
  /** `05:06:07.89`; hours and minutes alone are filled with zeros, as FHIR asks. */
  readonly time?: string
  /** `+01:00`, as it was sent. */
  readonly offset?: string
}

/** TS, DTM and DT. Undefined for what is empty or is no date; the original stays in the message. */
export function readTimestamp(part: Part | undefined): Timestamp | undefined {
  if (part === undefined || part.isEmpty) return undefined
  return timestampOf(part.text(1))
}

export function timestampOf(text: string | undefined): Timestamp | undefined {
  const match = grammar.exec(text?.trim() ?? '')
  if (match === null) return undefined
  const [, year = '', month, day, hour, minute, second, fraction, offset] = match
  if (!isDate(year, month, day) || !isTime(hour, minute, second)) return undefined
  const date = [year, month, day].filter((piece) => piece !== undefined).join('-')
  if (hour === undefined) return { precision: day ? 'day' : month ? 'month' : 'year', date }
  const precision = fraction ? 'fraction' : second ? 'second' : minute ? 'minute' : 'hour'
  const time = `${hour}:${minute ?? '00'}:${second ?? '00'}${fraction === undefined ? '' : `.${fraction}`}`
  const zone = offsetOf(offset)
  return { precision, date, time, ...(zone === undefined ? {} : { offset: zone }) }
}

/** TM: a time of day, `05:06:00`. */
export function readTime(part: Part | undefined): string | undefined {
  if (part === undefined || part.isEmpty) return undefined
  const match = timeGrammar.exec(part.text(1)?.trim() ?? '')
  if (match === null) return undefined
  const [, hour = '', minute = '00', second = '00', fraction] = match
  if (!isTime(hour, minute, second)) return undefined
  return `${hour}:${minute}:${second}${fraction === undefined ? '' : `.${fraction}`}`
}

/** DR: both ends, either of which may be missing. In a field the ends are components, in a component sub-components. */
export function readRange(part: Part | undefined): { start?: Timestamp; end?: Timestamp } | undefined {
  if (part === undefined || part.isEmpty) return undefined
  const start = readTimestamp(part.part(1))
  const end = readTimestamp(part.part(2))
  if (start === undefined && end === undefined) return undefined
  return { ...(start === undefined ? {} : { start }), ...(end === undefined ? {} : { end }) }
}

const grammar =
  /^(\d{4})(?:(\d{2})(?:(\d{2})(?:(\d{2})(?:(\d{2})(?:(\d{2})(?:\.(\d{1,9}))?)?)?)?)?)?(Z|[+-]\d{2}:?\d{2})?$/
const timeGrammar = /^(\d{2})(?::?(\d{2})(?::?(\d{2})(?:\.(\d{1,9}))?)?)?(?:Z|[+-]\d{4})?$/

/** Senders write an unknown date as zeros. */
function isDate(year: string, month: string | undefined, day: string | undefined): boolean {
  if (year === '0000') return false
  if (month === undefined) return true
  const monthNumber = Number(month)
  if (monthNumber < 1 || monthNumber > 12) return false
  if (day === undefined) return true
  return Number(day) >= 1 && Number(day) <= daysIn(monthNumber, Number(year))
}

function daysIn(month: number, year: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

function isTime(hour = '00', minute = '00', second = '00'): boolean {
  return Number(hour) <= 23 && Number(minute) <= 59 && Number(second) <= 59
}

function offsetOf(sent: string | undefined): string | undefined {
  if (sent === undefined) return undefined
  if (sent === 'Z') return 'Z'
  const digits = sent.replace(':', '')
  const [hours, minutes] = [Number(digits.slice(1, 3)), Number(digits.slice(3))]
  if (hours > 14 || minutes > 59) return undefined
  return `${digits.slice(0, 3)}:${digits.slice(3)}`
}
