import type { CodeableConcept, Extension } from '../../../../packages/fhir/r4.ts'
import { type At, at } from '../at.ts'
import type { Draft } from '../draft.ts'
import { cweOf } from './cwe.ts'

/** On which side, or where more closely: the codes beside the one that names a part of the body, or what is done there. */
export function modifiersIn(
  { segment, draft }: Pick<At, 'segment' | 'draft'>,
  field: number,
  table: string,
): Modifiers {
  return segment
    .repetitions(field)
    .map((part, repetition) => cweOf(table)(part, at(draft, segment, field, repetition)))
    .filter((one) => one !== undefined)
}

export type Modifiers = readonly CodeableConcept[]

/**
 * R4 has one concept for the knee and its side: the side stands in its words, for people, and beside them as it was sent. A
 * side alone is better than none.
 */
export function withModifiers(
  concept: CodeableConcept | undefined,
  modifiers: Modifiers,
  draft: Draft,
): CodeableConcept | undefined {
  if (modifiers.length === 0) return concept
  const said = concept && wordsOf(concept)
  // `LT` is a word of its own, and none of `Deltoid`.
  const words = modifiers.map(wordsOf).filter((word) => said === undefined || !apart(said).includes(apart(word)))
  const url = draft.extensionUrl(modifierName)
  const extension: Extension[] = modifiers.map((valueCodeableConcept) => ({ url, valueCodeableConcept }))
  const text = [said, ...words].filter((word) => word !== undefined).join(', ')
  return { ...concept, extension: [...(concept?.extension ?? []), ...extension], text }
}

const apart = (text: string): string =>
  ` ${text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `

export const wordsOf = ({ text, coding = [] }: CodeableConcept): string =>
  text ?? coding.find(({ display }) => display !== undefined)?.display ?? coding[0]?.code ?? ''

/** As `withModifiers` has put them there. */
export const modifiersOf = ({ extension = [] }: CodeableConcept = {}): CodeableConcept[] =>
  extension.flatMap(({ url, valueCodeableConcept }) =>
    url.endsWith(`/${modifierName}`) && valueCodeableConcept !== undefined ? [valueCodeableConcept] : [],
  )

const modifierName = 'modifier'
