import type { Duration, Period, ServiceRequest, Timing, TimingRepeat } from '../../../../packages/fhir/r4.ts'
import { readCq, readTime, readTimestamp, type Part, type Segment } from '../../../../packages/hl7/index.ts'
import { type At, at, warnAt } from '../at.ts'
import { trimmed } from '../clean-text.ts'
import { mapCode, rowOf } from '../code-map.ts'
import { compact } from '../compact.ts'
import { endOfCourse } from '../end-of-course.ts'
import type { Draft } from '../draft.ts'
import { cq, decimal } from '../dt/cq.ts'
import { isIfNeeded, rpt, unitOf } from '../dt/rpt.ts'
import { si } from '../dt/si.ts'
import { periodOf } from '../dt/ts.ts'
import { ucum } from '../terms.ts'
import { priority } from '../v/0485-priority.ts'

/** When an order is to be carried out, how often, and how soon. */
export interface OrderTiming {
  /** How often (3, 4, 13, 14) within which bounds (6, or 7 and 8). */
  readonly timing?: Timing
  /** Start and end alone (7, and 8 or 6): for an order that happens once. */
  readonly period?: Period
  /** How long (6), where nothing says from when. */
  readonly length?: Duration
  readonly quantity?: ServiceRequest['quantityQuantity']
  readonly priority?: NonNullable<ServiceRequest['priority']>
  /** Only if needed: table 0485 has it as a priority (9), table 0335 as a pattern (3). */
  readonly isIfNeeded?: true
  /** TQ1-10 and 11. */
  readonly condition?: string
  readonly instruction?: string
}

/** TQ1 with the first of its patterns (3). */
export const readTq1 = (tq1: Segment, draft: Draft): OrderTiming => readerOfTq1(tq1, draft)(tq1.part(3), 0)

/** TQ1 with each of its patterns. */
export function readTq1s(tq1: Segment, draft: Draft): OrderTiming[] {
  const read = readerOfTq1(tq1, draft)
  return tq1.repetitions(3).flatMap((pattern, repetition) => (pattern.isEmpty ? [] : [read(pattern, repetition)]))
}

/** Reads everything but the pattern, once. */
function readerOfTq1(tq1: Segment, draft: Draft): (pattern: Part | undefined, repetition: number) => OrderTiming {
  const place = (field: number): At => at(draft, tq1, field)
  const told = periodOf(readTimestamp(tq1.part(7)), readTimestamp(tq1.part(8)), place(7))
  const { period, length } = courseOf(told, lengthOf(tq1.part(6)))
  const repeat = compact<TimingRepeat>({
    boundsPeriod: period,
    boundsDuration: length,
    ...durationOf(tq1.part(13)),
    count: positive(si(tq1.part(14), place(14))),
    timeOfDay: tq1.repetitions(4).map(readTime).filter(isTime),
  })
  const rest = {
    repeat,
    period,
    length,
    quantity: cq(tq1.part(2), place(2)),
    ...urgencyOf(tq1.repetitions(9), place(9)),
    condition: trimmed(tq1.part(10)?.whole),
    instruction: trimmed(tq1.part(11)?.whole),
  }
  return (pattern, repetition) => withPattern(rest, pattern, at(draft, tq1, 3, repetition))
}

/** TQ, the one field (ORC-7, OBR-27, RXE-1, SCH-11) that TQ1 took the place of. */
export function readTq(part: Part | undefined, place: At): OrderTiming {
  if (part === undefined || part.isEmpty || part.isNull) return {}
  const told = periodOf(readTimestamp(part.part(4)), readTimestamp(part.part(5)), place)
  const duration = /^([SMHDWLX])(\d{1,4})$/i.exec(part.text(3)?.trim() ?? '')
  const { period, length } = courseOf(told, timeOfDuration(duration))
  const repeat = compact<TimingRepeat>({
    boundsPeriod: period,
    boundsDuration: length,
    count: positive(si(part.part(12), place)) ?? timesOfDuration(duration),
    timeOfDay: (part.text(2, 2) ?? '').split(',').map(timeOf).filter(isTime),
  })
  const rest = {
    repeat,
    period,
    length,
    quantity: cq(part.part(1), place),
    ...urgencyOf([part.part(6)], place),
    condition: part.text(7),
    instruction: part.text(8),
  }
  return withPattern(rest, part.part(2), place)
}

/** Beside `if needed` another priority may stand. */
function urgencyOf(priorities: readonly (Part | undefined)[], place: At): Pick<Read, 'priority' | 'isIfNeeded'> {
  const isPrn = (part: Part | undefined) => (part?.text(1) ?? part?.text(2))?.trim().toUpperCase() === 'PRN'
  return {
    priority: urgency(
      priorities.find((part) => !isPrn(part)),
      place,
    ),
    isIfNeeded: priorities.some(isPrn) ? true : undefined,
  }
}

/** How soon (OBR-5, TQ1-9, TQ.6): the code, or the word beside a code of the sender's own. */
export function urgency(part: Part | undefined, place: At): OrderTiming['priority'] | undefined {
  const [code, word] = [part?.text(1), part?.text(2)]
  return rowOf(priority, code ?? '') ?? rowOf(priority, word ?? '') ?? mapCode(priority, code ?? word, place)
}

const withPattern = (rest: Omit<Read, 'pattern'>, pattern: Part | undefined, place: At): OrderTiming =>
  orderTiming({
    ...rest,
    pattern: rpt(pattern, place),
    isIfNeeded: isIfNeeded(pattern) ? true : rest.isIfNeeded,
  })

/** Times beside the first, where only one is kept. */
export function warnOfOthers(segment: Segment, field: number, draft: Draft): void {
  for (const [repetition, part] of segment.repetitions(field).entries()) {
    if (repetition === 0 || part.isEmpty) continue
    warnAt(at(draft, segment, field, repetition), 'not-kept', 'Another time: only the first one is kept.')
  }
}

interface Read extends Omit<{ [K in keyof OrderTiming]: OrderTiming[K] | undefined }, 'timing'> {
  readonly pattern: Timing | undefined
  readonly repeat: TimingRepeat | undefined
}

function orderTiming({ pattern, repeat, ...read }: Read): OrderTiming {
  // Bounds alone are a period: something that happens once has no Timing.
  const isRepeated = pattern !== undefined || Object.keys(repeat ?? {}).some((name) => !name.startsWith('bounds'))
  const timing = {
    ...pattern,
    ...compact<Timing>({ repeat: compact<TimingRepeat>({ ...pattern?.repeat, ...repeat }) }),
  }
  return compact<OrderTiming>({ ...read, timing: isRepeated ? timing : undefined }) ?? {}
}

/** A choice: start and end, of which the length may tell the end; else the length alone. */
function courseOf(
  told: Period | undefined,
  length: Duration | undefined,
): { readonly period?: Period | undefined; readonly length?: Duration | undefined } {
  if (told?.start === undefined || told.end !== undefined || length === undefined)
    return told === undefined ? { length } : { period: told }
  const unit = unitOf(length.code)
  const end = unit && endOfCourse(told.start, Number(length.value), unit)
  // A month or a year without a day says less than how long it takes.
  return end === undefined ? { length } : { period: { start: told.start, end } }
}

/** TQ.3: `D7`, seven days; a number of times (`X3`) is no time. */
function timeOfDuration(duration: RegExpExecArray | null): Duration | undefined {
  const unit = unitOf(duration?.[1])
  const value = Number(duration?.[2])
  return unit === undefined || value === 0 ? undefined : { value, unit, system: ucum, code: unit }
}

const timesOfDuration = (duration: RegExpExecArray | null): number | undefined =>
  duration?.[1]?.toUpperCase() === 'X' ? positive(Number(duration[2])) : undefined

function durationOf(part: Part | undefined): TimingRepeat {
  const length = lengthOf(part)
  const durationUnit = unitOf(length?.code)
  return length?.value === undefined || durationUnit === undefined ? {} : { duration: length.value, durationUnit }
}

/** CQ as a length of time: R4 takes only units of time here. */
function lengthOf(part: Part | undefined): Duration | undefined {
  const read = readCq(part)
  const unit = unitOf(read?.unit?.codes?.[0]?.code)
  if (read?.value === undefined || Number(read.value) <= 0 || unit === undefined) return undefined
  return { value: decimal(read.value), unit, system: ucum, code: unit }
}

const positive = (count: number | undefined): number | undefined => (count === 0 ? undefined : count)

const timeOf = (text: string): string | undefined => {
  const match = /^([01]\d|2[0-3])([0-5]\d)$/.exec(text.trim())
  return match === null ? undefined : `${match[1]}:${match[2]}:00`
}

const isTime = (time: string | undefined): time is string => time !== undefined
