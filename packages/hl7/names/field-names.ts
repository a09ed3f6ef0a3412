import { controlSegments } from './control.ts'
import { financeSegments } from './finance.ts'
import { orderSegments } from './orders.ts'
import { patientSegments } from './patient.ts'
import { scheduleAndMasterSegments } from './schedule-and-master.ts'
import type { SegmentNames } from './segment-names.ts'

/** The common segments of versions 2.5 to 2.8, with the names of all their fields. */
export const segmentNames: Readonly<Record<string, SegmentNames>> = {
  ...controlSegments,
  ...patientSegments,
  ...financeSegments,
  ...orderSegments,
  ...scheduleAndMasterSegments,
}

/** `PID` is the Patient Identification; undefined for one that is not common, and for those that senders make up. */
export const segmentTitle = (segment: string): string | undefined =>
  Object.hasOwn(segmentNames, segment) ? segmentNames[segment]?.title : undefined

/** The name of a field by HL7's number, from 1: `PID`, 3 is the Patient Identifier List. */
export const fieldName = (segment: string, field: number): string | undefined =>
  Object.hasOwn(segmentNames, segment) ? segmentNames[segment]?.fields[field - 1] : undefined
