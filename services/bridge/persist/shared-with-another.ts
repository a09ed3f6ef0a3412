import type { FhirResource, Patient } from '../../../packages/fhir/r4.ts'
import { isAmong } from '../mapping/distinct-identifiers.ts'
import type { Write } from '../mapping/mapped.ts'
import { isOnlyAmended } from '../mapping/merge.ts'
import { identifiersOf } from './identifiers-of.ts'
import type { FoundByKeys } from './same-thing.ts'
import { referenceTo, type Stored, type StoredResource } from './stored.ts'

/**
 * Whether a visit gets a number that the visit of another patient has (A06, A45, A50, A51). Both have it then, and each is found
 * by the number and its patient: without it here, the next message under it would take the visit of the other one for this.
 */
export function getsNumberOfAnother(
  write: Write,
  meant: StoredResource | undefined,
  { byOthers }: Pick<FoundByKeys, 'byOthers'>,
  isOfAnother: (stored: StoredResource) => boolean,
): boolean {
  if (write.resource.resourceType !== 'Encounter' || changesNothing(write, meant)) return false
  const isThere = isAmong(meant === undefined ? [] : identifiersOf(meant))
  return byOthers.some(
    ({ key, found }) => !isThere(key) && found.some((one) => one.id !== meant?.id && isOfAnother(one)),
  )
}

const changesNothing = (write: Write, meant: StoredResource | undefined): boolean =>
  meant === undefined ? isOnlyAmended(write) : write.mode === 'ensure'

/**
 * Whether an account of somebody else becomes that of the message's patient, too: a family may have one, and a message may have
 * come from somebody who does not know that it was moved (A44).
 */
export function joinsAccountOfAnother(write: Write, stored: Stored): boolean {
  const { resource, mode, removes } = write
  const there = stored.get(write.fullUrl)
  if (resource.resourceType !== 'Account' || there?.resourceType !== 'Account' || mode === 'ensure') return false
  if (removes.some(({ element }) => element === 'subject')) return false
  const owners = patientsOfAccount(there)
  const joining = patientsOfAccount(resource).flatMap((one) => recordsOf(one, stored))
  return owners.length > 0 && joining.length > 0 && !joining.some((one) => owners.includes(one))
}

/** As `Patient/…`; none of anything else. */
export const patientsOfAccount = (one: FhirResource): string[] =>
  (one.resourceType === 'Account' ? (one.subject ?? []) : []).flatMap(({ reference }) => reference ?? [])

/** A record as it is stored, the one that was merged away for it, and those that it has replaced. */
function recordsOf(reference: string, stored: Stored): string[] {
  const all = [stored.get(reference), stored.replaced?.get(reference)].filter((one) => one !== undefined)
  const replaced = all
    .flatMap((one) => (isPatient(one) ? one.link : undefined) ?? [])
    .filter(({ type }) => type === 'replaces')
  return all.length === 0
    ? [reference]
    : [...all.map(referenceTo), ...replaced.flatMap(({ other }) => other.reference ?? [])]
}

const isPatient = (one: FhirResource): one is Patient => one.resourceType === 'Patient'
