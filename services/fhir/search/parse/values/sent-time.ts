import { timeRangeOf } from '../../../../../packages/fhir/date.ts'

/** The time that a parameter of an address stands for; undefined where it is none. */
export const sentTime = (text: string): ReturnType<typeof timeRangeOf> =>
  // A plus sign that was not encoded arrives as a space: 2024-01-01T10:00:00 02:00 can mean nothing else.
  timeRangeOf(text.replace(/ (\d\d:\d\d)$/, '+$1'))
