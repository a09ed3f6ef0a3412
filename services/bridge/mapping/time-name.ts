import { type Part, readTimestamp, type Timestamp, type Zone } from '../../../packages/hl7/index.ts'
import type { Draft } from './draft.ts'

/**
 * A time as a part of a key: what the clocks of the sender showed. So the same moment has one name, whether a message tells it with
 * its offset or without, and with the seconds of a full minute or without. What is told to the hour or the day, or is no date, is
 * named as it was sent. Undefined without one.
 *
 * @param to to the minute only where nobody has two of a kind within one: of others the second would take the place of the first
 */
export function timeName(
  part: Part | undefined,
  { context }: Pick<Draft, 'context'>,
  to: 'minute' | 'second' = 'second',
): string | undefined {
  const text = part?.text(1)?.trim()
  if (text === undefined || text === '') return undefined
  const read = readTimestamp(part)
  if (read?.time === undefined || read.precision === 'hour') return text
  const [, minute = '', second = '', fraction = '', moment = ''] =
    clockParts.exec(clockTime(read, read.time, context.zone)) ?? []
  return to === 'minute' ? `${minute}${moment}` : `${minute}${second}${significant(fraction)}${moment}`
}

/**
 * An offset counts where the zone is that of a place. The offset of one message (MSH-7) is another in winter, and tells nothing of
 * the clocks in summer: then the time stays as it was sent.
 */
function clockTime({ date, offset }: Timestamp, time: string, zone: Zone): string {
  const sent = `${date}T${time}`
  if (offset === undefined || never.has(date) || /^[+-]/.test(zone.name) || zone.offsetAt(date, time) === plain(offset))
    return sent
  const instantMs = Date.parse(`${sent}${offset}`)
  const utc = shifted(instantMs, '+00:00')
  const guess = shifted(instantMs, offsetOf(utc, zone))
  const found = shifted(instantMs, offsetOf(guess, zone))
  // In the hour that comes twice there is no one time of the clocks; the moment is named.
  return shifted(instantMs, offsetOf(found, zone)) === found ? found : `${utc}Z`
}

/** What programs write where there is no time. In other zones it may be of a year that no clock shows. */
const never: ReadonlySet<string> = new Set(['0001-01-01', '9999-12-31'])

const plain = (offset: string): string => (offset === 'Z' ? '+00:00' : offset)

const offsetOf = (local: string, zone: Zone): string =>
  zone.offsetAt(local.slice(0, dayLength), local.slice(dayLength + 1))

/** What a clock with that offset shows. */
function shifted(instantMs: number, offset: string): string {
  const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(4))
  const local = new Date(instantMs + (offset.startsWith('-') ? -minutes : minutes) * 60_000)
  return local.toISOString().replace(/(?:\.000)?Z$/, '')
}

/** To the minute, the second, its fraction if any, and the mark of a moment that is no time of the clocks. */
const clockParts = /^(.{16})(:\d\d)(\.\d+)?(Z)?$/

/** Without the zeros at its end. Counted: a pattern that looks for them grows with the square of the digits. */
function significant(fraction: string): string {
  let length = fraction.length
  while (fraction[length - 1] === '0') length--
  return length === 1 ? '' : fraction.slice(0, length)
}

/** Several of a kind may be of one day, not of one time. */
export const isMoment = (name: string): boolean => /^\d{4}-\d\d-\d\dT/.test(name)

/** Whether two times of R4 are one: twelve o'clock in Mauritius is eight in Greenwich. */
export function isSameMoment(one: string | undefined, other: string | undefined): boolean {
  if (one === undefined || other === undefined || one.length <= dayLength || other.length <= dayLength)
    return one === other
  return Date.parse(one) === Date.parse(other)
}

/** Whether two times of R4 may be one, as far as both go: ten o'clock on a day is on that day. */
export function mayBeSameTime(one: string, other: string): boolean {
  const shorter = Math.min(one.length, other.length)
  return shorter > dayLength ? isSameMoment(one, other) : one.slice(0, shorter) === other.slice(0, shorter)
}

/** `YYYY-MM-DD` */
const dayLength = 10
