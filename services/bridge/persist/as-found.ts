import type { DocumentReference, Encounter, FhirResource, Identifier, Patient } from '../../../packages/fhir/r4.ts'
import { numberKind } from '../../../ports/patient-index/number-kinds.ts'
import { isAmong } from '../mapping/distinct-identifiers.ts'
import { noLongerOld } from '../mapping/families/adt/change.ts'
import { identifierKey } from '../mapping/keys.ts'
import type { Key, Write } from '../mapping/mapped.ts'
import { othersThan } from '../mapping/national-numbers.ts'
import { goldenReference, survivorReference } from '../mapping/patient-links.ts'
import type { Stored, StoredResource } from './stored.ts'

/** The writes of a message by their `fullUrl`. */
type Writes = ReadonlyMap<string, Write>

/**
 * What a write means for the record that was found for it, where records were merged. What is said of a number that went
 * with a merged record is said of the one who stayed, who does not get the number back. And who is merged away keeps
 * their golden record. A number that something else has stays there: on both, it would find two. Whether a document that is
 * replaced is superseded is told by all that replace it (`replaced-documents.ts`).
 */
export function asFound(write: Write, writes: Writes, stored: Stored): Write {
  if (write.resource.resourceType === 'DocumentReference' && write.isMention === true) return withoutStatus(write)
  const taken = stored.taken?.get(write.fullUrl)
  const own = taken === undefined ? write : withoutNumbers(write, taken)
  const replaced = stored.replaced?.get(write.fullUrl)
  if (stored.standsAgain?.has(write.fullUrl) === true) return standing(own)
  if (replaced !== undefined)
    return isVisit(replaced) ? ofStandingVisit(own, replaced) : ofSurvivor(own, replaced, stored.get(write.fullUrl))
  return survivorReference(write.resource) === undefined ? own : ofSubsumed(own, writes, stored)
}

function withoutStatus(write: Write): Write {
  // Sound: only documents are mentioned so, and what is merged need not be whole.
  const { status: _status, ...resource } = write.resource as DocumentReference
  return { ...write, resource: resource as DocumentReference }
}

function withoutNumbers(write: Write, taken: readonly Key[]): Write {
  const isTaken = isAmong(taken)
  const without = (part: object): object => {
    // Sound: what has several numbers has a list of them.
    const { identifier = [], ...rest } = part as { identifier?: readonly Identifier[] }
    const own = identifier.filter((one) => !isTaken(one))
    return { ...rest, ...listed('identifier', own) }
  }
  // Sound: only numbers are left out. Those of a patient who is only mentioned are among the defaults.
  const [resource, defaults] = [without(write.resource) as FhirResource, without(write.defaults) as Write['defaults']]
  return { ...write, resource, defaults }
}

const isVisit = (one: StoredResource): boolean => one.resourceType === 'Encounter'

/** That the old visit was called off, or is a mistake, says nothing of the one that it was a part of. */
function ofStandingVisit(write: Write, replaced: StoredResource): Write {
  // Sound: what was merged away as a visit is one, as is what is said of it.
  const [{ identifier = [] }, { status }] = [replaced as Encounter, write.resource as Encounter]
  const isCalledOff = status === 'cancelled' || status === 'entered-in-error'
  return { ...withoutNumbers(write, identifier.map(identifierKey)), ...(isCalledOff ? { mode: 'ensure' } : {}) }
}

/**
 * Both on the one who stayed and on the record that went, a number would find two. Their golden record is their own, and so is their
 * national number: who names another under the old number alone has not heard of the merge, and corrects nothing.
 */
function ofSurvivor(write: Write, replaced: StoredResource, survivor: StoredResource | undefined): Write {
  // Sound: only Patients are merged.
  const [{ identifier: gone = [] }, { identifier: own = [] }] = [replaced as Patient, (survivor ?? {}) as Patient]
  const said = (write.resource as Patient).identifier ?? []
  const isUnaware = !said.some(isAmong(own.filter((one) => one.use !== 'old' && numberKind(one) === 'record')))
  const isGone = isAmong([...gone.filter(({ use }) => use === 'old'), ...(isUnaware ? othersThan(own, said) : [])])
  const without = ({ identifier, link, ...rest }: Partial<Patient>): Partial<Patient> => ({
    ...rest,
    ...listed(
      'identifier',
      identifier?.filter((one) => !isGone(one)),
    ),
    ...listed(
      'link',
      link?.filter(({ type }) => type !== 'refer'),
    ),
  })
  const resource = without(write.resource as Patient)
  return {
    ...write,
    // That the old record is deleted (A29) says nothing of the one who stayed.
    ...(resource.active === false ? { mode: 'ensure' } : {}),
    resource: { resourceType: 'Patient', ...resource },
    defaults: without(write.defaults as Partial<Patient>),
  }
}

const listed = <Name extends string, Item>(name: Name, items: readonly Item[] = []): Partial<Record<Name, Item[]>> =>
  // Sound: the one member has the name.
  items.length === 0 ? {} : ({ [name]: [...items] } as Record<Name, Item[]>)

/** As before it was merged away: in use, under the numbers that the message has of it. */
function standing(write: Write): Write {
  // Sound: only Patients are merged so.
  const { identifier = [] } = write.resource as Patient
  const removes = [{ element: 'link', where: { type: 'replaced-by' } }, ...noLongerOld(identifier)]
  return { ...write, deletes: [...write.deletes, 'active'], removes: [...write.removes, ...removes] }
}

/** Whoever had none refers to that of the survivor. Nobody takes the place of one in whose place they stood. */
function ofSubsumed(said: Write, writes: Writes, stored: Stored): Write {
  const into = survivorReference(said.resource) ?? ''
  const taking = { element: 'link', where: { type: 'replaces', 'other.reference': into } }
  const write = stored.standsAgain?.has(into) === true ? { ...said, removes: [...said.removes, taking] } : said
  const before = stored.get(write.fullUrl)
  if (before !== undefined && goldenReference(before) !== undefined) return write
  const survivor = writes.get(into)?.resource
  const known = stored.get(into)
  const golden = (survivor && goldenReference(survivor)) ?? (known && goldenReference(known))
  if (golden === undefined) return write
  const resource = write.resource as Patient
  const link = [...(resource.link ?? []), { type: 'refer' as const, other: { reference: golden } }]
  return { ...write, resource: { ...resource, link } }
}
