import { daysIn } from '../clock/days-in.ts'

/** A stretch of time in milliseconds since 1970 UTC, from `low` up to but not including `high`. */
interface TimeRange {
  readonly low: number
  readonly high: number
}

/**
 * The range that a FHIR date, dateTime or instant stands for: `2024-02` is the whole month. What has no time zone
 * is read as UTC. A minute without seconds is allowed, as R4 allows it in searches. Undefined if it is no date.
 *
 * Times finer than milliseconds are cut: 10:00:00.0005 is in the millisecond 10:00:00.000.
 */
export function timeRangeOf(text: string): TimeRange | undefined {
  const length = text.length
  if (length < 4 || length > 40) return undefined
  const year = digits(text, 0, 4)
  if (year < 1) return undefined
  if (length === 4) return { low: utc(year, 1, 1), high: utc(year + 1, 1, 1) }
  if (text.charCodeAt(4) !== dash) return undefined
  const month = digits(text, 5, 2)
  if (month < 1 || month > 12) return undefined
  if (length === 7) {
    return { low: utc(year, month, 1), high: month === 12 ? utc(year + 1, 1, 1) : utc(year, month + 1, 1) }
  }
  if (text.charCodeAt(7) !== dash) return undefined
  const day = digits(text, 8, 2)
  if (day < 1 || day > daysIn(year, month)) return undefined
  const midnight = utc(year, month, day)
  if (length === 10) return { low: midnight, high: midnight + dayMs }
  return text.charCodeAt(10) === letterT ? timeOfDayRange(text, midnight) : undefined
}

/**
 * Whether a period may begin and end so. With unequal precision the two are compared as far as both go: ten o'clock on a
 * day does not come after that day, in whatever zone, and 2024-05-01 not after 2024.
 */
export function startsBeforeEnd(start: string, end: string): boolean {
  const shorter = Math.min(start.length, end.length)
  if (shorter <= 10) return start.slice(0, shorter) <= end.slice(0, shorter)
  const first = timeRangeOf(start)
  const last = timeRangeOf(end)
  return first === undefined || last === undefined || first.low < last.high
}

/** The number in a run of digits, or -1 if something else stands there. */
export function digits(text: string, start: number, count: number): number {
  let value = 0
  for (let index = start; index < start + count; index++) {
    const digit = text.charCodeAt(index) - zero
    // Past the end charCodeAt is NaN, which no comparison accepts.
    if (!(digit >= 0 && digit <= 9)) return -1
    value = value * 10 + digit
  }
  return value
}

const dayMs = 86_400_000
const zero = 48
const dash = 45
const colon = 58
const dot = 46
const letterT = 84
const letterZ = 90

function utc(year: number, month: number, day: number): number {
  const instant = Date.UTC(year, month - 1, day)
  // Date.UTC takes the years 0 to 99 for 1900 to 1999.
  return year >= 100 ? instant : new Date(0).setUTCFullYear(year, month - 1, day)
}

function timeOfDayRange(text: string, midnight: number): TimeRange | undefined {
  const hour = digits(text, 11, 2)
  const minute = digits(text, 14, 2)
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || text.charCodeAt(13) !== colon) return undefined
  let low = midnight + hour * 3_600_000 + minute * 60_000
  let width = 60_000
  let end = 16
  if (text.charCodeAt(16) === colon) {
    const second = digits(text, 17, 2)
    // 60 is a leap second.
    if (second < 0 || second > 60) return undefined
    low += second * 1000
    width = 1000
    end = 19
    if (text.charCodeAt(19) === dot) {
      end = endOfDigits(text, 20)
      if (end === 20) return undefined
      const places = Math.min(end - 20, 3)
      width = 10 ** (3 - places)
      low += digits(text, 20, places) * width
    }
  }
  const offset = zoneOffsetMs(text, end)
  return offset === undefined ? undefined : { low: low - offset, high: low - offset + width }
}

function endOfDigits(text: string, start: number): number {
  let end = start
  while (text.charCodeAt(end) >= zero && text.charCodeAt(end) <= zero + 9) end++
  return end
}

function zoneOffsetMs(text: string, at: number): number | undefined {
  if (at === text.length) return 0
  const sign = text.charCodeAt(at)
  if (sign === letterZ) return at + 1 === text.length ? 0 : undefined
  if ((sign !== 43 && sign !== dash) || at + 6 !== text.length || text.charCodeAt(at + 3) !== colon) return undefined
  const hour = digits(text, at + 1, 2)
  const minute = digits(text, at + 4, 2)
  if (hour < 0 || hour > 14 || minute < 0 || minute > 59) return undefined
  return (sign === dash ? -1 : 1) * (hour * 3_600_000 + minute * 60_000)
}
