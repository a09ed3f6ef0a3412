import type { Coding } from '../../../packages/fhir/r4.ts'

/** What the terminology service is asked: the code, and the system in which the exchange wants it. */
export interface CodeNeed {
  readonly target: TargetSystem
  readonly system: string
  readonly code: string
  readonly display?: string
  /** Where in the message, for the list of unmapped codes. */
  readonly path: string
}

export const loinc = 'http://loinc.org'
export const snomed = 'http://snomed.info/sct'
export const ucum = 'http://unitsofmeasure.org'
export const cvx = 'http://hl7.org/fhir/sid/cvx'
export type TargetSystem = typeof loinc | typeof snomed | typeof ucum | typeof cvx

/** The codings in the wanted system (the code itself, when it was one and is valid), or that there are none. */
export type TermAnswer = readonly Coding[] | 'unmapped'

/**
 * Answers that were fetched before, by `termKey`. What is not in it becomes a need of the mapping; its caller asks for
 * all needs of a message in one call and maps again.
 */
export type Terms = ReadonlyMap<string, TermAnswer>

/** What was answered, in the order asked. */
export const termsFrom = (needs: readonly CodeNeed[], answers: readonly TermAnswer[]): Terms =>
  new Map(needs.map((need, at) => [termKey(need), answers[at] ?? 'unmapped']))

/** What is known of them without asking: the others are as if nobody had looked. */
export const termsAmong = (needs: readonly CodeNeed[], known: readonly (TermAnswer | undefined)[]): Terms =>
  new Map(
    needs.flatMap((need, at) => {
      const answer = known[at]
      return answer === undefined ? [] : [[termKey(need), answer] as const]
    }),
  )

export const termKey = ({ target, system, code }: Pick<CodeNeed, 'target' | 'system' | 'code'>): string =>
  `${target} ${system}|${code}`
