import type { CodeableConcept, Observation, ObservationComponent } from '../../../packages/fhir/r4.ts'
import { criticalFlags } from './critical-flags.ts'

/**
 * What makes a result critical, of whom and of when it is. What is not in it, such as a note or a code that the
 * terminology has learned, makes no news of a result that somebody was told of.
 */
export function criticalFacts(result: Observation): string {
  const { subject, component = [] } = result
  // That it is final is no news of one that was told of before, with a word of that or without.
  const status = result.status === 'unknown' || result.status === 'preliminary' ? 'final' : result.status
  const parts = [result, ...component].map((part) => [criticalFlags(part), saidIn(part, /^value[A-Z]/)])
  return JSON.stringify([status, subject?.reference, saidIn(result, /^effective[A-Z]/), parts])
}

const saidIn = (part: Observation | ObservationComponent, name: RegExp): unknown[] =>
  Object.entries(part).flatMap(([key, value]: [string, unknown]) =>
    // Sound: R4 says what stands in an element of this name.
    name.test(key) ? [key, key === 'valueCodeableConcept' ? inWords(value as CodeableConcept) : value] : [],
  )

/** As its author wrote it: codings are added when the terminology learns them. */
const inWords = ({ text, coding = [] }: CodeableConcept): unknown => text ?? coding.map(({ code }) => code)
