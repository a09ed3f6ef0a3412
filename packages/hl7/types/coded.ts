import type { Part } from '../part.ts'
import { present } from './present.ts'

/** One code with its text and the name of its system (HL7 table 0396). */
export interface Code {
  readonly code?: string | undefined
  readonly display?: string | undefined
  readonly system?: string | undefined
  readonly version?: string | undefined
}

/** CWE, CNE, CE and CF: up to three codes for one idea, and what the author wrote. */
export interface Coded {
  readonly codes?: readonly Code[] | undefined
  readonly originalText?: string | undefined
}

export function readCwe(sent: Part | undefined): Coded | undefined {
  if (sent === undefined || sent.isEmpty) return undefined
  const part = inFirstComponent(sent) ?? sent
  const first = codeAt(part, 1, 7)
  // One code is what most coded fields have.
  if (part.count < 4) return first && { codes: [first], originalText: undefined }
  const codes = [first, codeAt(part, 4, 8), codeAt(part, 10, 13)].filter((code) => code !== undefined)
  return present<Coded>({ codes: codes.length === 0 ? undefined : codes, originalText: part.componentText(9) })
}

/** What a person would read: the original text, else the first display, else the first code. */
export function textOfCoded(coded: Coded | undefined): string | undefined {
  const codes = coded?.codes ?? []
  return coded?.originalText ?? codes.find(({ display }) => display !== undefined)?.display ?? codes[0]?.code
}

/**
 * `718-7&Hb&LN`: a code, its text and its system a level too deep, as where the field was once a part of another. With a
 * space beside a sign it is a sentence: `Fever & cough & rash`.
 */
function inFirstComponent(part: Part): Part | undefined {
  const { component, subcomponent } = part.syntax.delimiters
  if (part.depth !== 0 || subcomponent === '' || !part.raw.includes(subcomponent)) return undefined
  const first = part.part(1)
  const isAlone = first !== undefined && part.raw.slice(first.raw.length).replaceAll(component, '') === ''
  const isSentence = first?.raw.split(subcomponent).some((piece) => piece !== piece.trim()) === true
  return isAlone && !isSentence && first.text(3) !== undefined ? first : undefined
}

function codeAt(part: Part, first: number, version: number): Code | undefined {
  const code = part.componentText(first)
  const display = part.componentText(first + 1)
  if (code === undefined && display === undefined) return undefined
  return { code, display, system: part.text(first + 2), version: part.text(version) }
}
