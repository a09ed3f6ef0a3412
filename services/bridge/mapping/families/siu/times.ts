import { readNm, type Message, type Part, type Segment } from '../../../../../packages/hl7/index.ts'
import { at, warnAt } from '../../at.ts'
import { rowOf } from '../../code-map.ts'
import type { Draft } from '../../draft.ts'
import { instant } from '../../dt/ts.ts'
import { plusMinutes } from '../../plus-minutes.ts'
import { durationUnit } from '../../v/duration-units.ts'

/** Where an AI segment has its times and state: each has them elsewhere. */
export interface ResourceFields {
  readonly start: number
  readonly offset: number
  readonly offsetUnit: number
  readonly duration: number
  readonly durationUnit: number
  readonly status: number
}

export interface Times {
  readonly start: string
  readonly end: string
  readonly minutes?: number
}

/**
 * When an appointment is: SCH-11 (TQ1 since version 2.7), else the first of its services and resources. It ends after
 * its duration: SCH-9, else that of SCH-11, else that of the first of its resources.
 */
export function appointmentTimes(resources: readonly ResourceTimes[], draft: Draft): Times | undefined {
  const { message } = draft
  const sch = message.segment('SCH')
  const own = sch && timing(sch.part(11), (part) => instant(part, at(draft, sch, 11)))
  const tq1 = tq1Times(message, draft)
  const [first] = resources.toSorted((one, other) => Date.parse(one.start) - Date.parse(other.start))
  const start = own?.start ?? tq1?.start ?? first?.start
  if (start === undefined) return undefined
  const minutes = (sch && minutesOf(sch, 9, 10)) ?? own?.minutes ?? first?.minutes
  return endOf(start, own?.end ?? tq1?.end, minutes, () =>
    sch === undefined ? undefined : warnAt(at(draft, sch, 9), 'bad-value', noEnd),
  )
}

export interface ResourceTimes {
  readonly start: string
  readonly minutes?: number
}

/** When a service or resource is needed: its own start, else the offset from that of the appointment. */
export function resourceTimes(segment: Segment, fields: ResourceFields, draft: Draft): ResourceTimes | undefined {
  const start = instant(segment.part(fields.start), at(draft, segment, fields.start))
  const minutes = minutesOf(segment, fields.duration, fields.durationUnit)
  return start === undefined ? undefined : { start, ...(minutes === undefined ? {} : { minutes }) }
}

/** The times of a resource within those of its appointment. */
export function slotTimes(
  segment: Segment,
  fields: ResourceFields,
  whole: Times | undefined,
  draft: Draft,
): Times | undefined {
  const own = resourceTimes(segment, fields, draft)
  const offset = minutesOf(segment, fields.offset, fields.offsetUnit)
  const start = own?.start ?? (whole && (offset === undefined ? whole.start : plusMinutes(whole.start, offset)))
  const minutes = own?.minutes ?? minutesOf(segment, fields.duration, fields.durationUnit)
  if (start === undefined) return undefined
  const isSame = whole !== undefined && start === whole.start
  return endOf(
    start,
    minutes === undefined && isSame ? whole.end : undefined,
    minutes ?? whole?.minutes,
    () => undefined,
  )
}

/** A start needs an end: R4 has both or neither. */
function endOf(start: string, end: string | undefined, minutes: number | undefined, warn: () => void): Times {
  const told = end !== undefined && Date.parse(end) >= Date.parse(start) ? end : undefined
  const counted = minutes === undefined ? undefined : plusMinutes(start, minutes)
  if (told === undefined && counted === undefined) warn()
  return {
    start,
    end: told ?? counted ?? start,
    ...(minutes === undefined || minutes < 1 ? {} : { minutes: Math.round(minutes) }),
  }
}

const noEnd = 'There is neither an end nor a duration; the end is taken to be the start.'

/** TQ: the fourth component is the start, the fifth the end, the third a duration as `M30`. */
function timing(part: Part | undefined, read: (part: Part | undefined) => string | undefined) {
  if (part === undefined || part.isEmpty || part.isNull) return undefined
  const match = /^([SMHD]?)(\d{1,6})$/i.exec(part.text(3)?.trim() ?? '')
  const minutes = match === null ? undefined : Number(match[2]) * (rowOf(durationUnit, match[1] || 'M') ?? 1)
  return { start: read(part.part(4)), end: read(part.part(5)), minutes }
}

function tq1Times(message: Message, draft: Draft) {
  const tq1 = message.segment('TQ1')
  if (tq1 === undefined) return undefined
  return { start: instant(tq1.part(7), at(draft, tq1, 7)), end: instant(tq1.part(8), at(draft, tq1, 8)) }
}

/** A number and its unit, in minutes; undefined for none, and for what no appointment takes. */
function minutesOf(segment: Segment, field: number, unitField: number): number | undefined {
  const value = Number(readNm(segment.part(field)) ?? Number.NaN)
  const unit = segment.text(unitField)
  const factor = unit === undefined ? 1 : rowOf(durationUnit, unit)
  const minutes = factor === undefined ? Number.NaN : value * factor
  return minutes > 0 && minutes <= minutesMax ? minutes : undefined
}

/** Ten years. */
const minutesMax = 5_256_000
