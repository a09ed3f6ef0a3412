import type { Account, Encounter, Identifier, Patient } from '../../../../../packages/fhir/r4.ts'
import { numberKind } from '../../../../../ports/patient-index/number-kinds.ts'
import { at } from '../../at.ts'
import { coding } from '../../code-map.ts'
import { distinctIdentifiers } from '../../distinct-identifiers.ts'
import type { Draft } from '../../draft.ts'
import { putEncounter } from '../../encounter.ts'
import { identifierKey } from '../../keys.ts'
import { wholeResource } from '../../merge.ts'
import { putPatient, type PutPatient } from '../../patient.ts'
import { checkOnePatient } from '../../refusals.ts'
import { priorOf, priorsOf, readPrior, type Prior } from '../../segments/mrg.ts'
import type { VisitEvent } from '../../visit-event.ts'
import { noLongerOld } from './change.ts'
import { patientGroups } from '../../patient-groups.ts'
import { missing } from './missing.ts'
import { renumbered } from './renumbered.ts'

/** A43: the identifiers of MRG-1 leave whoever has them and go to the patient of PID. */
export function moveIdentifiers(draft: Draft): void {
  for (const group of patientGroups(draft)) {
    const prior = priorsOf(group, draft).flatMap(({ patient }) => patient)
    const moved = prior.map(({ use: _old, ...identifier }) => identifier)
    if (moved.length === 0) missing('MRG', 1, draft)
    // They leave first: applied again, they are found on the patient of PID, and must end there.
    removeIdentifiers(moved, draft)
    const target = putPatient(group, draft, { mode: 'ensure' })
    addIdentifiers(target, moved, draft)
    draft.main ??= target.reference.reference
  }
}

/** A national number, which others may have, too, leaves the record that has the numbers of records. */
function removeIdentifiers(moved: readonly Identifier[], draft: Draft): void {
  const { record: ofRecords = [], other: others = [] } = Object.groupBy(moved, (one) =>
    numberKind(one) === 'record' ? 'record' : 'other',
  )
  const found = ofRecords.length === 0 ? others : ofRecords
  for (const identifier of found) {
    const leaving = found === others ? [identifier] : [identifier, ...others]
    const removes = leaving.map(({ system, value }) => ({ element: 'identifier', where: { system, value } }))
    draft.put<Patient>({ resourceType: 'Patient' }, { key: identifierKey(identifier), mode: 'amend', removes })
  }
}

/** What PID says counts only for a patient whom nobody knows: this event carries no demographics. */
function addIdentifiers({ reference }: PutPatient, moved: readonly Identifier[], draft: Draft): void {
  const write = draft.write(reference)
  if (write === undefined) return
  const known = wholeResource(write) as Patient
  const identifier = distinctIdentifiers([...(known.identifier ?? []), ...moved])
  const link = known.link === undefined ? {} : { link: known.link }
  draft.replace<Patient>(
    { resourceType: 'Patient', identifier, ...link },
    { key: write.key, defaults: { active: true, ...known }, removes: noLongerOld(moved) },
  )
}

/** A44: the account of PID-18 (or MRG-3) now belongs to the patient of PID. */
export function moveAccount(draft: Draft): void {
  for (const group of patientGroups(draft)) {
    const prior = priorOf(group, draft)
    const patient = putPatient(group, draft, { mode: 'ensure' })
    const moved = draft.resource('Account', patient.account)
    const identifier = moved?.identifier?.[0] ?? prior.account
    if (identifier === undefined) missing('PID', 18, draft)
    const { use: _old, ...current } = identifier
    const resource: Account = {
      resourceType: 'Account',
      identifier: [current],
      status: 'active',
      subject: [patient.reference],
    }
    // Whoever had it has it no longer.
    const removes = [{ element: 'subject', where: {} }]
    const movesFrom = numbersBefore(prior, patient, draft)
    const given = draft.put(resource, { key: identifierKey(current), removes, movesFrom })
    draft.main ??= given.reference
  }
}

/**
 * A45: the visits of MRG-5 (and the PV1 after each) now belong to the patient of PID. Some senders give the visit another number
 * there (PV1-19), and it is the one of MRG-5 all the same.
 */
export function moveVisit(draft: Draft): void {
  for (const group of patientGroups(draft)) {
    const patient = putPatient(group, draft, { mode: 'ensure' })
    const { groups: visits } = group.groups('MRG')
    if (visits.length === 0) priorOf(group, draft)
    for (const visit of visits) {
      const mrg = visit.segment('MRG')
      const before = mrg && readPrior(mrg, draft)
      const prior = before?.visit
      if (mrg !== undefined && prior !== undefined)
        checkOnePatient('Encounter', identifierKey(prior), patient.reference, at(draft, mrg, 5))
      const movesFrom = before === undefined ? [] : numbersBefore(before, patient, draft)
      const event: VisitEvent = { status: 'stored', movesFrom, ...renumbered(prior, visit, draft) }
      const moved = putEncounter(visit, patient, event, draft)
      if (moved === undefined && prior === undefined) missing('MRG', 5, draft)
      const reference = moved?.reference ?? (prior && putMoved(prior, { patient, movesFrom }, draft))
      draft.main ??= reference?.reference
    }
  }
}

interface Move {
  readonly patient: PutPatient
  readonly movesFrom: readonly string[]
}

function putMoved(prior: Identifier, { patient, movesFrom }: Move, draft: Draft) {
  const { use: _old, ...identifier } = prior
  // Sound: the defaults give what R4 demands; what the store has stays.
  const resource = { resourceType: 'Encounter', identifier: [identifier], subject: patient.reference } as Encounter
  const unknown = coding('http://terminology.hl7.org/CodeSystem/v3-NullFlavor', 'UNK', 'unknown')
  const defaults = { status: 'unknown', class: unknown } as const
  return draft.put(resource, { key: identifierKey(identifier), defaults, movesFrom })
}

/** Of whose it was. Where MRG-1 names the patient of PID, it says nothing of that. */
function numbersBefore({ patient: before }: Prior, { reference }: PutPatient, draft: Draft): string[] {
  const { identifier: now = [] } = draft.resource('Patient', reference) ?? {}
  const values = before.flatMap(({ value }) => value ?? [])
  return values.some((one) => now.some(({ value }) => value === one)) ? [] : values
}
