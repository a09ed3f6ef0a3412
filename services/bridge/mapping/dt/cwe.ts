import type { CodeableConcept, Coding } from '../../../../packages/fhir/r4.ts'
import { readCwe, textOfCoded, type Code, type Coded, type Part } from '../../../../packages/hl7/index.ts'
import { type At, warnAt } from '../at.ts'
import { codeText, rowOf, v2System } from '../code-map.ts'
import { segmentOfUrl } from '../keys.ts'
import type { TargetSystem } from '../terms.ts'
import { codingSystem } from '../v/0396-coding-system.ts'
import { uriLengthMax } from './hd.ts'

/** CWE, CE, CNE: up to three codings, and what the author wrote. */
export function cwe(part: Part | undefined, place: At): CodeableConcept | undefined {
  return conceptOf(readCwe(part), place)
}

/** A coded field (CWE, IS, ID) of an HL7 table: codes that name no system are of that table. */
export const cweOf =
  (table: string) =>
  (part: Part | undefined, place: At): CodeableConcept | undefined =>
    conceptOf(readCwe(part), place, table)

/** A coded value that was already read, as the unit of CQ. */
export function conceptOf(read: Coded | undefined, place: At, table?: string): CodeableConcept | undefined {
  if (read === undefined) return undefined
  const codings = (read.codes ?? []).map((code) => codingOf(code, place, table)).filter((found) => found !== undefined)
  const text = textOfCoded(read)
  if (codings.length === 0) return text === undefined ? undefined : { text }
  return text === undefined ? { coding: codings } : { coding: codings, text }
}

/** One of the triplets. A text without code is no coding: the concept's text says it. */
export function codingOf({ code, display, system, version }: Code, place: At, table?: string): Coding | undefined {
  const clean = codeText(code)
  if (clean === undefined) return undefined
  const found: Coding = { system: codeSystem(system, place, table) }
  if (version !== undefined) found.version = version
  found.code = clean
  if (display !== undefined) found.display = display
  return found
}

/** The system's address by table 0396; what the sender made up (`L`, `99zzz`, unknown) belongs to the sender. */
export function codeSystem(name: string | undefined, { draft }: At, table?: string): string {
  const { base, facility } = draft.context
  const known = name?.trim()
  if (known === undefined || known === '') {
    return table === undefined ? `${base}/codes/${segmentOfUrl(facility.code)}/local` : v2System(table)
  }
  const fixed = rowOf(codingSystem, known)
  if (fixed !== undefined) return fixed
  const v2 = /^(?:HL7|v2-?)(\d{4})$/i.exec(known)
  if (v2 !== null) return v2System(v2[1] ?? '')
  if (known.length <= uriLengthMax && /^[0-2](\.(0|[1-9]\d*)){3,}$/.test(known)) return `urn:oid:${known}`
  if (/^(https?:\/\/|urn:)\S/.test(known) && !/\s/.test(known)) return known
  return `${base}/codes/${segmentOfUrl(facility.code)}/${segmentOfUrl(known === 'L' ? 'local' : known)}`
}

/**
 * The concept with its standard coding in front. The original codings stay, marked as the user's choice. A concept that
 * the terminology cannot translate is marked, and its path noted for the list of unmapped codes.
 */
export function standardised(concept: CodeableConcept, target: TargetSystem, place: At): CodeableConcept {
  const { draft } = place
  const originals = concept.coding ?? []
  const own = originals.find(({ system }) => system === target)
  const asked = own === undefined ? originals : [own]
  if (asked.length === 0) return concept
  let isWaiting = false
  for (const { system = '', code = '', display } of asked) {
    const asking = display === undefined ? { target, system, code } : { target, system, code, display }
    const answer = draft.lookUp(asking, place)
    isWaiting ||= answer === undefined
    if (answer === undefined || answer === 'unmapped' || answer.length === 0) continue
    const rest = originals.filter((original) => original !== own)
    const isOriginal = (index: number) => own === undefined && index === 0
    const marked = rest.map((original, index) => (isOriginal(index) ? { ...original, userSelected: true } : original))
    return { ...concept, coding: [...answer, ...marked] }
  }
  if (isWaiting) {
    warnAt(place, 'not-looked-up', `The code was not looked up in ${target}.`)
    return concept
  }
  warnAt(place, 'unmapped-code', `The code has no counterpart in ${target}.`)
  return { ...concept, extension: [{ url: draft.extensionUrl('unmapped-code'), valueUri: target }] }
}
