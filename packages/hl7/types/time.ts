import { daysIn } from '../../clock/days-in.ts'
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

/** `YYYY[MM[DD[HH[MM[SS[.fraction]]]]]]` and an offset, read by places: of all types this one is read the most. */
export function timestampOf(sent: string | undefined): Timestamp | undefined {
  const text = sent?.trim() ?? ''
  const digits = digitsFrom(text, 0)
  if (digits < 4 || digits > 14 || digits % 2 === 1 || !isDate(text, digits) || !isTime(text, 8, digits))
    return undefined
  const fraction = digits === 14 && text[14] === '.' ? digitsFrom(text, 15) : 0
  const end = fraction === 0 ? digits : 15 + fraction
  if (fraction > 9 || !isOffset(text, end)) return undefined
  const date = dateOf(text, digits)
  if (digits <= 8) return { precision: digits === 8 ? 'day' : digits === 6 ? 'month' : 'year', date }
  const precision = fraction > 0 ? 'fraction' : digits === 14 ? 'second' : digits === 12 ? 'minute' : 'hour'
  const minute = digits > 10 ? text.slice(10, 12) : '00'
  const second = digits > 12 ? text.slice(12, 14) : '00'
  const time = `${text.slice(8, 10)}:${minute}:${second}${fraction === 0 ? '' : text.slice(14, end)}`
  const offset = offsetOf(text, end)
  return offset === undefined ? { precision, date, time } : { precision, date, time, offset }
}

/** TM: a time of day, `05:06:00`. */
export function readTime(part: Part | undefined): string | undefined {
  if (part === undefined || part.isEmpty) return undefined
  const match = timeGrammar.exec(part.text(1)?.trim() ?? '')
  if (match === null) return undefined
  const [, hour = '', minute = '00', second = '00', fraction] = match
  if (!isTime(`${hour}${minute}${second}`, 0, 6)) return undefined
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

const timeGrammar = /^(\d{2})(?::?(\d{2})(?::?(\d{2})(?:\.(\d{1,9}))?)?)?(?:Z|[+-]\d{4})?$/

/** How many digits stand from there on. */
function digitsFrom(text: string, start: number): number {
  let at = start
  while (at < text.length && isDigit(text.charCodeAt(at))) at++
  return at - start
}

const isDigit = (sign: number): boolean => sign >= 0x30 && sign <= 0x39

const twoDigits = (text: string, at: number): number =>
  (text.charCodeAt(at) - 0x30) * 10 + text.charCodeAt(at + 1) - 0x30

/** Senders write an unknown date as zeros. */
function isDate(text: string, digits: number): boolean {
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2)
  if (year === 0) return false
  if (digits === 4) return true
  const month = twoDigits(text, 4)
  if (month < 1 || month > 12) return false
  return digits === 6 || (twoDigits(text, 6) >= 1 && twoDigits(text, 6) <= daysIn(year, month))
}

/** Hours, minutes and seconds from `at` on, as far as the digits go. */
function isTime(text: string, at: number, digits: number): boolean {
  if (digits > at && twoDigits(text, at) > 23) return false
  if (digits > at + 2 && twoDigits(text, at + 2) > 59) return false
  return digits <= at + 4 || twoDigits(text, at + 4) <= 59
}

function dateOf(text: string, digits: number): string {
  const year = text.slice(0, 4)
  if (digits === 4) return year
  const month = text.slice(4, 6)
  return digits === 6 ? `${year}-${month}` : `${year}-${month}-${text.slice(6, 8)}`
}

/** Nothing more, `Z`, or `+hhmm` with or without a colon. */
const isOffset = (text: string, at: number): boolean => at === text.length || offsetGrammar.test(text.slice(at))

const offsetGrammar = /^(?:Z|[+-]\d{2}:?\d{2})$/

/** None that no clock on earth shows. */
function offsetOf(text: string, at: number): string | undefined {
  if (at === text.length) return undefined
  if (text[at] === 'Z') return 'Z'
  const minutesAt = text[at + 3] === ':' ? at + 4 : at + 3
  if (twoDigits(text, at + 1) > 14 || twoDigits(text, minutesAt) > 59) return undefined
  return `${text.slice(at, at + 3)}:${text.slice(minutesAt)}`
}
