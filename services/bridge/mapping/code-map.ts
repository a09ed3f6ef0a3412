import type { CodeableConcept, Coding, Identifier } from '../../../packages/fhir/r4.ts'
import type { Part } from '../../../packages/hl7/index.ts'
import { type At, warnAt } from './at.ts'

/** A table of HL7 codes and what they are in FHIR. The rows are data, so that the mapping reference shows them. */
export interface CodeMap<To> {
  /** `0001` */
  readonly table: string
  readonly name: string
  readonly rows: Readonly<Record<string, To>>
}

/** The FHIR code of a value, or undefined with a warning when the table has no such row. */
export function mapCode<To>(map: CodeMap<To>, code: string | undefined, place: At): To | undefined {
  if (code === undefined) return undefined
  const row = rowOf(map, code)
  if (row === undefined) warnAt(place, 'unknown-value', `The value is not in table ${map.table} (${map.name}).`)
  return row
}

/** The row of a code, without a warning. Senders write codes in either case and with spaces around. */
export function rowOf<To>({ rows }: CodeMap<To>, code: string): To | undefined {
  const trimmed = code.trim()
  if (Object.hasOwn(rows, trimmed)) return rows[trimmed]
  const upper = trimmed.toUpperCase()
  return Object.hasOwn(rows, upper) ? rows[upper] : undefined
}

/** A rule for a row of a segment map: the first component by this table. */
export const by =
  <To>(map: CodeMap<To>) =>
  (part: Part | undefined, place: At): To | undefined =>
    mapCode(map, part?.text(1), place)

/** The system of an HL7 table in FHIR. */
export const v2System = (table: string): string => `http://terminology.hl7.org/CodeSystem/v2-${table}`

/** A code as FHIR takes it: no white space (or control sign) at the ends or twice inside. Undefined for one that says nothing. */
export function codeText(text: string | undefined): string | undefined {
  if (text === undefined || (text !== '' && !hasOtherSigns.test(text))) return text
  const clean = text.replaceAll(/[\s\0-\u001F][\s\0-\u001F]*/g, ' ').trim()
  return clean === '' ? undefined : clean
}

/** Nearly no code has any: all but the visible signs of ASCII. */
const hasOtherSigns = /[^!-~]/

/** An identifier with its kind, a code of table 0203. */
export const identifier = (kind: string | undefined, system: string, value: string): Identifier =>
  kind === undefined ? { system, value } : { type: concept(identifierTypes, kind), system, value }

const identifierTypes = v2System('0203')

/** `{ coding: [{ system, code, display? }] }` */
export const concept = (system: string, code: string, display?: string): CodeableConcept => ({
  coding: [coding(system, code, display)],
})

export const coding = (system: string, code: string, display?: string): Coding =>
  display === undefined ? { system, code } : { system, code, display }
