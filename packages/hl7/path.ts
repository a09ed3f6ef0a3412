import { bug } from '../faults/fault.ts'

/**
 * A place in a message:
 *
 *     path       = segment [ "[" occurrence "]" ] "-" field [ "[" repetition "]" ] [ "." component [ "." subcomponent ] ]
 *
 * `PID-5.1`, `PID-3[1].4.2`, `OBX[2]-5`. Numbers after `-` and `.` are HL7's own and count from 1; numbers in brackets
 * are indexes and count from 0. What is left out is the first.
 */
export interface Path {
  readonly segment: string
  readonly occurrence: number
  readonly field: number
  readonly repetition: number
  readonly component: number
  readonly subcomponent: number
}

export type PathText = `${string}-${number | string}`

/** A path that cannot be read is a mistake in the program, not in the message. */
export function parsePath(text: PathText): Path {
  const match = grammar.exec(text)
  if (match === null) throw bug(`"${text}" is not a path; paths look like PID-5, PID-3[1].4.2 or OBX[2]-5.1`)
  const [, segment = '', occurrence, field, repetition, component, subcomponent] = match
  return {
    segment,
    occurrence: Number(occurrence ?? 0),
    field: Number(field),
    repetition: Number(repetition ?? 0),
    component: Number(component ?? 1),
    subcomponent: Number(subcomponent ?? 1),
  }
}

const grammar =
  /^([A-Z][A-Z0-9]{2})(?:\[(\d{1,6})\])?-([1-9]\d{0,3})(?:\[(\d{1,6})\])?(?:\.([1-9]\d{0,3})(?:\.([1-9]\d{0,3}))?)?$/
