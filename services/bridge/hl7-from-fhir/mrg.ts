import type { Patient } from '../../../packages/fhir/r4.ts'
import { cxList } from './dt/identifiers.ts'
import { xpnList } from './dt/names.ts'
import type { WriterDeps, WrittenSegment } from './written-segment.ts'

/** MRG of the patient who was merged into another one: the identifiers by which receivers know the old record. */
export function mrgFrom(subsumed: Patient, deps: WriterDeps): WrittenSegment {
  // They are old now, but to the receiver they are what it has to look for: every one counts the same.
  const identifiers = subsumed.identifier?.map(({ use: _use, ...identifier }) => identifier)
  return { name: 'MRG', fields: { 1: cxList(identifiers, deps.authorities), 7: xpnList(subsumed.name) } }
}
