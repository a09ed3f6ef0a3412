import type { TimingRepeat } from '../../../packages/fhir/r4.ts'
import { plusMinutes } from './plus-minutes.ts'

/**
 * When something is over that begins then and goes on so long, to the day or to the second as the start is told. The end
 * of a period is a part of it: seven days from the 17th end on the 23rd. Undefined where the start is no day, and for what
 * no calendar has.
 */
export function endOfCourse(start: string, length: number, unit: LengthUnit): string | undefined {
  const months = monthsOf[unit]
  if (months === undefined) {
    const minutes = length * minutesIn[unit]
    return start.includes('T') ? plusMinutes(start, minutes) : plusDays(start, Math.ceil(minutes / dayMinutes) - 1)
  }
  const [day = '', time] = start.split('T')
  const moved = Number.isInteger(length) ? plusMonths(day, length * months) : undefined
  if (moved === undefined) return undefined
  return time === undefined ? plusDays(moved, -1) : `${moved}T${time}`
}

type LengthUnit = NonNullable<TimingRepeat['periodUnit']>

const dayMinutes = 1_440
const minutesIn: Readonly<Record<LengthUnit, number>> = {
  s: 1 / 60,
  min: 1,
  h: 60,
  d: dayMinutes,
  wk: 7 * dayMinutes,
  mo: Number.NaN,
  a: Number.NaN,
}
const monthsOf: Readonly<Partial<Record<LengthUnit, number>>> = { mo: 1, a: 12 }

function plusDays(day: string, days: number): string | undefined {
  const match = dayText.exec(day)
  return match === null ? undefined : written(Date.UTC(Number(match[1]), Number(match[2]) - 1, Number(match[3]) + days))
}

/** On the same day of that month; where it has none, on its last. */
function plusMonths(day: string, months: number): string | undefined {
  const match = dayText.exec(day)
  if (match === null) return undefined
  const month = Number(match[2]) - 1 + months
  const same = Date.UTC(Number(match[1]), month, Number(match[3]))
  const last = Date.UTC(Number(match[1]), month + 1, 0)
  return written(Math.min(same, last))
}

const dayText = /^(\d{4})-(\d{2})-(\d{2})$/

/** NaN, and years that FHIR cannot write, fail the comparison. */
const written = (time: number): string | undefined =>
  new Date(time).getUTCFullYear() <= 9999 ? new Date(time).toISOString().slice(0, 10) : undefined
