import type { Account, Encounter, Identifier, Patient, Reference } from '../../../../../packages/fhir/r4.ts'
import type { SegmentList } from '../../../../../packages/hl7/index.ts'
import { numberKind } from '../../../../../ports/patient-index/number-kinds.ts'
import { at } from '../../at.ts'
import { coding } from '../../code-map.ts'
import { isAmong } from '../../distinct-identifiers.ts'
import type { Draft } from '../../draft.ts'
import { putEncounter } from '../../encounter.ts'
import { identifierKey } from '../../keys.ts'
import { putPatient, type PutPatient } from '../../patient.ts'
import { checkOnePatient } from '../../refusals.ts'
import { priorOf, priorsOf, type Prior } from '../../segments/mrg.ts'
import { patientGroups } from '../../patient-groups.ts'
import { missing } from './missing.ts'

/** A40 and its like: PID survives, MRG goes. Both records stay; the one that went points to the one that stayed. */
export function mergePatients(draft: Draft): void {
  for (const group of patientGroups(draft)) {
    const priors = priorsOf(group, draft)
    const survivor = putPatient(group, draft, { mode: 'upsert' })
    for (const prior of priors) {
      const subsumed = putSubsumed(prior, survivor, draft)
      const resource = draft.resource('Patient', survivor.reference)
      if (resource !== undefined && subsumed.reference !== survivor.reference.reference) {
        resource.link ??= []
        resource.link.push({ type: 'replaces', other: subsumed })
      }
      putPriorAccount(prior, survivor, draft)
    }
    draft.main ??= survivor.reference.reference
  }
}

/** A41, A35: the account of MRG-3 becomes part of the account of PID-18. */
export function mergeAccounts(draft: Draft): void {
  for (const group of patientGroups(draft)) {
    const priors = priorsOf(group, draft)
    const patient = putPatient(group, draft, { mode: 'ensure' })
    if (patient.account === undefined) missing('PID', 18, draft)
    for (const prior of priors) {
      if (prior.account === undefined) missing('MRG', 3, draft)
      putPriorAccount(prior, patient, draft)
    }
    draft.main ??= patient.account.reference
  }
}

/** A42: the visit of MRG-5 was the visit of PV1-19. */
export function mergeVisits(draft: Draft): void {
  for (const group of patientGroups(draft)) {
    const prior = priorOf(group, draft)
    const mrg = group.segment('MRG')
    if (mrg === undefined || prior.visit === undefined) missing('MRG', 5, draft)
    const patient = putPatient(group, draft, { mode: 'ensure' })
    checkOnePatient('Encounter', identifierKey(prior.visit), patient.reference, at(draft, mrg, 5))
    const survivor = survivingVisit(group, patient, draft)
    putSubsumedVisit(prior.visit, patient.reference, survivor, draft)
    draft.main ??= survivor.reference
  }
}

/**
 * The identifiers stay with the record that went: on both records, a conditional update by one of them would find two.
 * Further numbers of records in MRG-1 may be those of further records, which then go the same way. A national number may be
 * anybody's, and finds who goes only where MRG-1 names nothing else.
 */
function putSubsumed({ patient: sent, name }: Prior, survivor: PutPatient, draft: Draft): Reference {
  const identifiers = withoutShared(sent, survivor, draft)
  const ofRecords = identifiers.filter((one) => numberKind(one) === 'record')
  const [first = identifiers[0], ...others] = ofRecords
  if (first === undefined) missing('MRG', 1, draft)
  const resource = (identifier: Identifier[]): Patient => ({
    resourceType: 'Patient',
    identifier,
    active: false,
    link: [{ type: 'replaced-by', other: survivor.reference }],
  })
  const key = identifierKey(first)
  if (draft.fullUrl('Patient', key) === survivor.reference.reference) return survivor.reference
  const whole = { ...resource([...identifiers]), ...(name.length === 0 ? {} : { name: [...name] }) }
  const subsumed = draft.put(whole, { key })
  for (const other of others) draft.put(resource([other]), { key: identifierKey(other), mode: 'amend' })
  return subsumed
}

/**
 * What PID names too (the national number of both) is the survivor's: it finds the one who stays, and is not old. Where
 * MRG-1 names nothing else, that must be the record that went.
 */
function withoutShared(sent: readonly Identifier[], { reference }: PutPatient, draft: Draft): readonly Identifier[] {
  const kept = (draft.write(reference)?.resource as Patient | undefined)?.identifier ?? []
  const isKept = isAmong(kept)
  const own = sent.filter((one) => !isKept(one))
  return own.length > 0 ? own : sent.slice(0, 1)
}

function putPriorAccount({ account }: Prior, { reference, account: into }: PutPatient, draft: Draft): void {
  if (account === undefined || into === undefined) return
  const resource: Account = {
    resourceType: 'Account',
    identifier: [account],
    status: 'inactive',
    subject: [reference],
    partOf: into,
  }
  draft.put(resource, { key: identifierKey(account) })
  standByItself(into, draft)
}

/** Also where it had gone into the other, the wrong way round. Whose it is a message that only mentions it does not say. */
function standByItself(account: Reference, draft: Draft): void {
  const [write, said] = [draft.write(account), draft.resource('Account', account)]
  if (write === undefined || said === undefined) return
  const { subject = [], ...rest } = said
  const [resource, unsaid] = write.mode === 'ensure' ? [rest, { subject }] : [said, {}]
  // Sound: the defaults of an account.
  const defaults: Partial<Account> = { ...(write.defaults as Partial<Account>), ...unsaid }
  draft.replace(resource, { ...write, mode: 'upsert', defaults, deletes: ['partOf'] })
}

/** It stands by itself, also where it had been merged away, the wrong way round. */
function survivingVisit(group: SegmentList, patient: PutPatient, draft: Draft): Reference {
  const found = putEncounter(group, patient, { status: 'stored', deletes: ['partOf'], keepsPatient: true }, draft)
  return found?.reference ?? missing('PV1', 19, draft)
}

function putSubsumedVisit(visit: Identifier, subject: Reference, survivor: Reference, draft: Draft): void {
  const resource: Encounter = {
    resourceType: 'Encounter',
    identifier: [visit],
    status: 'entered-in-error',
    class: coding('http://terminology.hl7.org/CodeSystem/v3-NullFlavor', 'UNK', 'unknown'),
    subject,
    partOf: survivor,
  }
  const { class: unknown, ...said } = resource
  // Sound: the default gives the class that R4 demands; the stored one stays.
  draft.put(said as Encounter, { key: identifierKey(visit), defaults: { class: unknown } })
}
