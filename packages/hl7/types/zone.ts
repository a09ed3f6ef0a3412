import { incorrect } from '../../faults/fault.ts'
import type { Timestamp } from './time.ts'

/** The offset that a place's clocks show at a local time, for senders that leave it out. */
export interface Zone {
  readonly name: string
  /** `+02:00` for `2026-07-01` and `12:00:00`. */
  offsetAt(date: string, time: string): string
}

/** As `zoneNamed`; a name that is none is refused. */
export function makeZone(name: string): Zone {
  const zone = zoneNamed(name)
  if (zone !== undefined) return zone
  throw incorrect(`"${name}" is not a time zone; use a name such as Europe/Vienna or an offset such as +01:00.`)
}

/** A time zone by its IANA name (`Europe/Vienna`) or as a fixed offset (`+01:00`). Make one and keep it: it is costly. */
export function zoneNamed(name: string): Zone | undefined {
  if (/^[+-]/.test(name)) return fixedZone(name)
  // What is configured unless somebody says otherwise; Intl takes 25 ms for its first zone.
  if (name === 'UTC') return { name, offsetAt: () => '+00:00' }
  const format = formatterOf(name)
  if (format === undefined) return undefined
  const offsetMinutes = (instantMs: number) => {
    const shown = format.formatToParts(instantMs).find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT'
    const match = /^GMT([+-])(\d{2}):(\d{2})/.exec(shown)
    if (match === null) return 0
    return (match[1] === '-' ? -1 : 1) * (Number(match[2]) * 60 + Number(match[3]))
  }
  // Asking Intl costs more than reading the whole timestamp, and the times of a feed lie close together.
  const known = new Map<string, string>()
  const remember = (quarter: string, offset: string) => {
    if (known.size >= quartersMax) known.clear()
    known.set(quarter, offset)
    return offset
  }
  return {
    name,
    offsetAt(date, time) {
      // The clocks of our time change at quarters of an hour, never inside one.
      const quarter = `${date}T${time.slice(0, 3)}${Math.floor(Number(time.slice(3, 5)) / 15)}`
      return known.get(quarter) ?? remember(quarter, offsetAt(date, time))
    },
  }

  function offsetAt(date: string, time: string): string {
    const asUtc = Date.parse(`${date}T${time.slice(0, 8)}Z`)
    // The offset before and after a change of clocks differ: the second look settles which one the local time has.
    const guess = offsetMinutes(asUtc)
    return formatOffset(offsetMinutes(asUtc - guess * 60_000))
  }
}

const quartersMax = 4_096

/** No clocks are further from UTC than 14 hours, and FHIR writes no such time. */
function fixedZone(name: string): Zone | undefined {
  return /^[+-](?:(?:0\d|1[0-3]):[0-5]\d|14:00)$/.test(name) ? { name, offsetAt: () => name } : undefined
}

/** The FHIR date or dateTime: precision kept; a time without offset gets the zone's, or loses its time without a zone. */
export function fhirDateTime({ date, time, offset }: Timestamp, zone?: Zone): string {
  if (time === undefined) return date
  const known = offset ?? zone?.offsetAt(date, time)
  return known === undefined ? date : `${date}T${time}${known}`
}

/** Intl has no other way to say that it knows no such zone than to throw. */
function formatterOf(name: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' })
  } catch {
    return undefined
  }
}

function formatOffset(minutes: number): string {
  const size = Math.abs(minutes)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`
}
