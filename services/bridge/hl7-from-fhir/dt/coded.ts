import type { CodeableConcept, Coding } from '../../../../packages/fhir/r4.ts'
import { repeated, type Atom, type FieldValue } from '../../../../packages/hl7/index.ts'
import type { CodeMap } from '../../mapping/code-map.ts'
import { codingSystem } from '../../mapping/v/0396-coding-system.ts'
import type { WriterDeps } from '../written-segment.ts'
import { ownName } from './own-name.ts'

/** CWE: up to three codings, and the text where no display says it. */
export function cwe(concept: CodeableConcept | undefined, deps: WriterDeps): readonly Atom[] | undefined {
  if (concept === undefined) return undefined
  const [first, second, third] = concept.coding ?? []
  if (first === undefined) return [undefined, concept.text]
  const said = new Set([first.display, second?.display, first.code])
  const text = concept.text === undefined || said.has(concept.text) ? undefined : concept.text
  const triplet = (coding: Coding | undefined) => tripletOf(coding, deps)
  return [...triplet(first), ...triplet(second), first.version, second?.version, text, ...triplet(third)]
}

/** CWE, each of a list. */
export function repeatedCodes(concepts: readonly CodeableConcept[] | undefined, deps: WriterDeps): FieldValue {
  const list = (concepts ?? []).flatMap((concept) => [cwe(concept, deps)]).filter((one) => one !== undefined)
  return list.length === 0 ? undefined : repeated(list)
}

/** The code of a coding or concept in an HL7 table's system, for fields that hold only the code (ID, IS). */
export const codeIn = (concept: CodeableConcept | undefined, table: string): string | undefined =>
  concept?.coding?.find(({ system }) => system?.endsWith(`/v2-${table}`) === true)?.code

/** The HL7 code that a table maps to this FHIR value: the first row that does. */
export function backwards<To>({ rows }: CodeMap<To>, value: unknown): string | undefined {
  if (value === undefined) return undefined
  return Object.entries(rows).find(([, to]) => isSame(to, value))?.[0]
}

/** The name of a code system in table 0396; `HL7nnnn` for v2 tables; the sender's own name; else the address itself. */
export function systemName(system: string | undefined, { authorities }: WriterDeps): string | undefined {
  if (system === undefined) return undefined
  const table = /\/CodeSystem\/v2-(\d{4})$/.exec(system)?.[1]
  if (table !== undefined) return `HL7${table}`
  const known = backwards(codingSystem, system)
  if (known !== undefined) return known
  const own = ownName(system, `${authorities.base}/codes/`)?.name
  return own === 'local' ? 'L' : (own ?? system)
}

const tripletOf = (coding: Coding | undefined, deps: WriterDeps): readonly Atom[] => [
  coding?.code,
  coding?.display,
  coding?.code === undefined ? undefined : systemName(coding.system, deps),
]

const isSame = (row: unknown, value: unknown): boolean => row === value || JSON.stringify(row) === JSON.stringify(value)
