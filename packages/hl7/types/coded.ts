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

export function readCwe(part: Part | undefined): Coded | undefined {
  if (part === undefined || part.isEmpty) return undefined
  const first = codeAt(part, 1, 7)
  // One code is what most coded fields have.
  if (part.count < 4) return first && { codes: [first], originalText: undefined }
  const codes = [first, codeAt(part, 4, 8), codeAt(part, 10, 13)].filter((code) => code !== undefined)
  return present<Coded>({ codes: codes.length === 0 ? undefined : codes, originalText: part.text(9) })
}

/** What a person would read: the original text, else the first display, else the first code. */
export function textOfCoded(coded: Coded | undefined): string | undefined {
  const codes = coded?.codes ?? []
  return coded?.originalText ?? codes.find(({ display }) => display !== undefined)?.display ?? codes[0]?.code
}

function codeAt(part: Part, first: number, version: number): Code | undefined {
  const code = part.text(first)
  const display = part.text(first + 1)
  if (code === undefined && display === undefined) return undefined
  return { code, display, system: part.text(first + 2), version: part.text(version) }
}
