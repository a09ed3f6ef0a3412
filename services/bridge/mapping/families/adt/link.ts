import type { Patient, Reference } from '../../../../../packages/fhir/r4.ts'
import type { SegmentList } from '../../../../../packages/hl7/index.ts'
import type { Draft } from '../../draft.ts'
import { identifierKey } from '../../keys.ts'
import type { Key } from '../../mapped.ts'
import { patientKey } from '../../patient-key.ts'
import { putPatient, type PutPatient } from '../../patient.ts'
import { patientGroups } from '../../patient-groups.ts'

/** A24: both records are about one person, and both stay. */
export function linkPatients(draft: Draft): void {
  const [first, second] = bothPatients(draft)
  addLink(first, second.reference, draft)
  addLink(second, first.reference, draft)
  draft.main = first.reference.reference
}

/** A37: they are not. */
export function unlinkPatients(draft: Draft): void {
  const keys = twoGroups(draft).map((group) => {
    const pid = group.segment('PID')
    return pid === undefined ? identifierKey({}) : patientKey(pid, draft)
  })
  const [first, second] = keys
  if (first === undefined || second === undefined) return
  removeLink(first, second, draft)
  removeLink(second, first, draft)
  draft.main = draft.fullUrl('Patient', first)
}

function bothPatients(draft: Draft): readonly [PutPatient, PutPatient] {
  const groups = twoGroups(draft).map((group) => putPatient(group, draft, { mode: 'upsert' }))
  // Sound: patientGroups refuses fewer than two.
  return [groups[0] as PutPatient, groups[1] as PutPatient]
}

/** A third one would neither be linked nor be told that they are not. */
function twoGroups(draft: Draft): readonly SegmentList[] {
  const groups = patientGroups(draft, 2)
  if (groups.length === 2) return groups
  return draft.refuse({
    code: '199',
    severity: 'E',
    text: 'This event is about two patients, and the message has more PID segments.',
    location: { segment: 'PID', sequence: 3 },
  })
}

function addLink(patient: PutPatient, other: Reference, draft: Draft): void {
  const resource = draft.resource('Patient', patient.reference)
  if (resource !== undefined) resource.link = [...(resource.link ?? []), { type: 'seealso', other }]
}

function removeLink(from: Key, to: Key, draft: Draft): void {
  const where = { type: 'seealso', 'other.reference': draft.fullUrl('Patient', to) }
  // It says nothing of the patients, not even their numbers: a bare one would take the place of what is stored of it.
  draft.put<Patient>({ resourceType: 'Patient' }, { key: from, mode: 'amend', removes: [{ element: 'link', where }] })
}
