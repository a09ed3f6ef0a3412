import type { CodeableConcept } from '../../../../packages/fhir/r4.ts'
import type { Part } from '../../../../packages/hl7/index.ts'
import type { At } from '../at.ts'
import { cweOf } from './cwe.ts'

/** A language (table 0296). Two letters without a system, or of ISO 639, are what FHIR knows as BCP 47. */
export function language(part: Part | undefined, place: At): CodeableConcept | undefined {
  const read = cweOf('0296')(part, place)
  const code = part?.text(1)?.trim()
  if (read?.coding?.[0] === undefined || !/^[a-z]{2}(-[a-z]{2})?$/i.test(code ?? '')) return read
  const [first, ...others] = read.coding
  if (part?.text(3) !== undefined && first.system !== tags) return read
  return { ...read, coding: [{ ...first, system: tags, code: bcp47(code ?? '') }, ...others] }
}

const tags = 'urn:ietf:bcp:47'

const bcp47 = (code: string): string => code.slice(0, 2).toLowerCase() + code.slice(2).toUpperCase()
