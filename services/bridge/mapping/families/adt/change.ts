import type { Account, Encounter, Identifier, Patient } from '../../../../../packages/fhir/r4.ts'
import { coding } from '../../code-map.ts'
import { isAmong } from '../../distinct-identifiers.ts'
import type { Draft } from '../../draft.ts'
import { cx, cxAs } from '../../dt/cx.ts'
import { at } from '../../at.ts'
import { identifierKey, isSameKey } from '../../keys.ts'
import type { ItemRemoval, Key } from '../../mapped.ts'
import { patientKey } from '../../patient-key.ts'
import { putPatient } from '../../patient.ts'
import { account as readAccount } from '../../segments/pid.ts'
import { checkOnePatient } from '../../refusals.ts'
import { priorOf } from '../../segments/mrg.ts'
import { patientGroups } from '../../patient-groups.ts'
import { missing } from './missing.ts'

/** A46, A47, A48: the patient of MRG-1 is now known by PID-3. The old identifier stays, marked as old. */
export function changeIdentifiers(draft: Draft): void {
  for (const group of patientGroups(draft)) {
    const prior = priorOf(group, draft)
    const [old] = prior.patient
    if (old === undefined) missing('MRG', 1, draft)
    const pid = group.segment('PID')
    const key = identifierKey(old)
    const patient = putPatient(group, draft, { mode: 'upsert', key, otherKey: pid && patientKey(pid, draft) })
    const resource = draft.resource('Patient', patient.reference)
    if (resource?.identifier === undefined) missing('PID', 3, draft)
    const current = resource.identifier
    const write = draft.write(patient.reference)
    if (write === undefined) continue
    draft.replace<Patient>(
      { ...resource, identifier: withOld(current, prior.patient) },
      // Sound: the defaults of a patient.
      { ...write, defaults: write.defaults as Partial<Patient>, removes: [...write.removes, ...noLongerOld(current)] },
    )
    draft.main ??= patient.reference.reference
  }
}

/** A49: the account of MRG-3 is now known by PID-18. */
export function changeAccount(draft: Draft): void {
  for (const group of patientGroups(draft)) {
    const { account: old } = priorOf(group, draft)
    const pid = group.segment('PID')
    const patient = putPatient(group, draft, { mode: 'ensure', withoutAccount: true })
    const current = pid && readAccount(pid, patient.reference, draft)
    if (current === undefined) missing('PID', 18, draft)
    if (old === undefined) missing('MRG', 3, draft)
    const { status, ...said } = { ...current.resource, identifier: withOld([current.identifier], [old]) }
    // Sound: the default gives the status that R4 demands.
    const written = draft.put(said as Account, {
      ...keysOfChanged(old, current.identifier),
      defaults: { status },
      removes: noLongerOld([current.identifier]),
    })
    draft.main ??= written.reference
  }
}

/** A50: the visit of MRG-5 is now known by PV1-19. A51: the visit of MRG-6 by PV1-50. */
export function changeVisit(draft: Draft): void {
  for (const group of patientGroups(draft)) {
    const prior = priorOf(group, draft)
    const patient = putPatient(group, draft, { mode: 'ensure' })
    const pv1 = group.segment('PV1')
    const isAlternate = prior.visit === undefined
    const old = prior.visit ?? prior.alternateVisit
    if (old === undefined) missing('MRG', 5, draft)
    const current =
      pv1 && (isAlternate ? cx(pv1.part(50), at(draft, pv1, 50)) : cxAs('VN')(pv1.part(19), at(draft, pv1, 19)))
    if (pv1 === undefined || current === undefined) missing('PV1', isAlternate ? 50 : 19, draft)
    checkOnePatient('Encounter', identifierKey(old), patient.reference, at(draft, pv1, isAlternate ? 50 : 19))
    // Sound: the defaults give what R4 demands; what the store has stays.
    const resource = { resourceType: 'Encounter', identifier: withOld([current], [old]) } as Encounter
    const unknown = coding('http://terminology.hl7.org/CodeSystem/v3-NullFlavor', 'UNK', 'unknown')
    const defaults: Partial<Encounter> = { status: 'unknown', class: unknown, subject: patient.reference }
    const removes = noLongerOld([current])
    const changed = draft.put(resource, { ...keysOfChanged(old, current), defaults, removes })
    draft.main ??= changed.reference
  }
}

/** It may be known by the new number already, or by that alone: created under both, it would be found twice by the new one. */
function keysOfChanged(
  old: Identifier,
  current: Identifier,
): { readonly key: Key; readonly otherKeys: readonly Key[] } {
  const [key, other] = [identifierKey(old), identifierKey(current)]
  return { key, otherKeys: isSameKey(key, other) ? [] : [other] }
}

/** What is the current number may have been the old one before: it is put in the place of that. */
export const noLongerOld = (current: readonly Identifier[]): ItemRemoval[] =>
  current.map(({ system, value }) => ({ element: 'identifier', where: { system, value } }))

/** The current identifiers and the old ones that are not among them. */
function withOld(current: readonly Identifier[], old: readonly Identifier[]): Identifier[] {
  const isCurrent = isAmong(current)
  return [...current, ...old.filter((one) => !isCurrent(one))]
}
