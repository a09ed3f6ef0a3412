import type { Observation } from '../../../packages/fhir/r4.ts'
import { isSameJson } from '../mapping/same-json.ts'
import { isSameMoment, mayBeSameTime } from '../mapping/time-name.ts'

/** When it was measured, as far as it says so. */
const timeOf = ({ effectiveDateTime, effectivePeriod }: Observation): string | object | undefined =>
  effectiveDateTime ?? effectivePeriod

/** Whether both were measured at one time. Two that do not say when were. */
export function isOfSameTime(one: Observation, other: Observation): boolean {
  const [first, second] = [timeOf(one), timeOf(other)]
  if (typeof first === 'string' && typeof second === 'string') return isSameMoment(first, second)
  return isSameJson(first ?? null, second ?? null)
}

/** Whether they are told to be of two times: to the day is no other time than to the minute of that day. */
export function isOfOtherTime(one: Observation, other: Observation): boolean {
  const [first, second] = [timeOf(one), timeOf(other)]
  if (first === undefined || second === undefined) return false
  if (typeof first === 'string' && typeof second === 'string') return !mayBeSameTime(first, second)
  return !isSameJson(first, second)
}
