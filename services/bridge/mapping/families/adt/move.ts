import type { Account, Encounter, Patient } from '../../../../../packages/fhir/r4.ts'
import { coding } from '../../code-map.ts'
import type { Draft } from '../../draft.ts'
import { putEncounter } from '../../encounter.ts'
import { identifierKey } from '../../keys.ts'
import { putPatient } from '../../patient.ts'
import { priorOf, readPrior } from '../../segments/mrg.ts'
import { patientGroups } from './groups.ts'
import { missing } from './missing.ts'

/** A43: the identifiers of MRG-1 leave whoever has them and go to the patient of PID. */
export function moveIdentifiers(draft: Draft): void {
  for (const group of patientGroups(draft)) {
    const moved = priorOf(group, draft).patient.map(({ use: _old, ...identifier }) => identifier)
    if (moved.length === 0) missing('MRG', 1, draft)
    const target = putPatient(group, draft, { mode: 'ensure' })
    for (const identifier of moved) {
      const key = identifierKey(identifier)
      if (draft.fullUrl('Patient', key) === target.reference.reference) continue
      const where = { system: key.system, value: key.value }
      draft.put<Patient>(
        { resourceType: 'Patient' },
        { key, mode: 'amend', removes: [{ element: 'identifier', where }] },
      )
    }
    const known = draft.write(target.reference)?.resource as Patient | undefined
    const identifiers = [...(known?.identifier ?? []), ...moved]
    const distinct = identifiers.filter(
      (one, index) =>
        identifiers.findIndex((other) => other.system === one.system && other.value === one.value) === index,
    )
    // What PID says counts only for a patient whom nobody knows: this event carries no demographics.
    const defaults = { active: true, ...known }
    draft.put<Patient>({ resourceType: 'Patient', identifier: distinct }, { key: target.key, defaults })
    draft.main ??= target.reference.reference
  }
}

/** A44: the account of PID-18 (or MRG-3) now belongs to the patient of PID. */
export function moveAccount(draft: Draft): void {
  for (const group of patientGroups(draft)) {
    const prior = priorOf(group, draft)
    const patient = putPatient(group, draft, { mode: 'ensure' })
    const moved = draft.write(patient.account ?? {})?.resource as Account | undefined
    const identifier = moved?.identifier?.[0] ?? prior.account
    if (identifier === undefined) missing('PID', 18, draft)
    const { use: _old, ...current } = identifier
    const resource: Account = {
      resourceType: 'Account',
      identifier: [current],
      status: 'active',
      subject: [patient.reference],
    }
    draft.main ??= draft.put(resource, { key: identifierKey(current) }).reference
  }
}

/** A45: the visits of MRG-5 (and the PV1 after each) now belong to the patient of PID. */
export function moveVisit(draft: Draft): void {
  for (const group of patientGroups(draft)) {
    const patient = putPatient(group, draft, { mode: 'ensure' })
    const { groups: visits } = group.groups('MRG')
    if (visits.length === 0) priorOf(group, draft)
    for (const visit of visits) {
      const mrg = visit.segment('MRG')
      const moved = putEncounter(visit, patient, { status: 'stored' }, draft)
      const prior = mrg && readPrior(mrg, draft).visit
      if (moved === undefined && prior === undefined) missing('MRG', 5, draft)
      const reference = moved?.reference ?? (prior && putMoved(prior, patient.reference, draft))
      draft.main ??= reference?.reference
    }
  }
}

function putMoved(prior: NonNullable<Encounter['identifier']>[number], subject: Encounter['subject'], draft: Draft) {
  const { use: _old, ...identifier } = prior
  // Sound: the defaults give what R4 demands; what the store has stays.
  const resource = { resourceType: 'Encounter', identifier: [identifier], subject } as Encounter
  const unknown = coding('http://terminology.hl7.org/CodeSystem/v3-NullFlavor', 'UNK', 'unknown')
  return draft.put(resource, { key: identifierKey(identifier), defaults: { status: 'unknown', class: unknown } })
}
