import type { Observation } from '../../../packages/fhir/r4.ts'
import { isSameJson } from '../mapping/same-json.ts'

/** When it was measured, as far as it says so. */
const timeOf = ({ effectiveDateTime, effectivePeriod }: Observation): unknown =>
  effectiveDateTime ?? effectivePeriod ?? null

/** Whether both were measured at one time. Two that do not say when were. */
export const isOfSameTime = (one: Observation, other: Observation): boolean => isSameJson(timeOf(one), timeOf(other))

/** Whether they are told to be of two times. */
export const isOfOtherTime = (one: Observation, other: Observation): boolean =>
  timeOf(one) !== null && timeOf(other) !== null && !isOfSameTime(one, other)
