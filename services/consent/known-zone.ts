import { isTimeZone } from '../../packages/clock/day-in.ts'
import { incorrect } from '../../packages/faults/fault.ts'

/** The zone whose days the periods of consents are counted in. */
export function knownZone(timeZone: string): string {
  if (isTimeZone(timeZone)) return timeZone
  throw incorrect(`consent.timeZone must be a zone such as Africa/Nairobi, not ${timeZone}.`)
}
