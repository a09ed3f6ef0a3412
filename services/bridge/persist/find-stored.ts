import { conflict } from '../../../packages/faults/fault.ts'
import type { Patient } from '../../../packages/fhir/r4.ts'
import type { SoughtIdentifier } from '../../../ports/fhir-store/fhir-store.ts'
import { linkedPatientId } from '../../../ports/patient-index/golden-link.ts'
import { type MergeTrail, mergeTrail } from '../../../ports/patient-index/merge-trail.ts'
import { isAmong } from '../mapping/distinct-identifiers.ts'
import { keysOf } from '../mapping/keys.ts'
import type { Key, Write } from '../mapping/mapped.ts'
import { goldenReference, survivorReference } from '../mapping/patient-links.ts'
import { patientOf, patientsOf } from '../mapping/patient-of.ts'
import { numberOfAnother } from '../mapping/refusals.ts'
import type { WrittenTo } from './brought.ts'
import { endsAnother } from './ends-another.ts'
import type { FindDeps } from './find-deps.ts'
import { meantOf } from './meant-of.ts'
import { readOthers } from './other-records.ts'
import { recordOfPerson } from './record-of-person.ts'
import { isRenumbered, ownRecord, samePatient } from './same-patient.ts'
import { isOfDirectory, sameEntry } from './same-entry.ts'
import { type FoundByKeys, isOnlyMentioned, sameThing } from './same-thing.ts'
import { getsNumberOfAnother, joinsAccountOfAnother, patientsOfAccount } from './shared-with-another.ts'
import { isMergeOfVisit, standingVisit, survivingVisit } from './standing-visit.ts'
import {
  alsoStored,
  isDocument,
  referenceTo,
  type Stored,
  type StoredDocument,
  type StoredResource,
  type TakenNumber,
} from './stored.ts'

/** Finds what the writes are about in one round trip (and one more, where somebody was merged away). */
export function findStored(writes: readonly Write[], signal: AbortSignal, deps: FindDeps): Promise<Stored> {
  return find(writes, { writes, stored: new Map() }, signal, deps)
}

/**
 * What the store has of a message that was mapped anew: only what was not sought before is sought, and nobody is asked
 * where that is nothing.
 * @param sought what was sought when the message was mapped before, and `stored` found of it
 */
export async function findFurther(
  writes: readonly Write[],
  { sought, stored }: { readonly sought: readonly Write[]; readonly stored: Stored },
  signal: AbortSignal,
  deps: FindDeps,
): Promise<Stored> {
  const before = new Set(sought.map(soughtFor))
  const further = writes.filter((write) => !before.has(soughtFor(write)))
  return further.length === 0 ? stored : alsoStored(stored, await find(further, { writes, stored }, signal, deps))
}

/** Of two patients of a message who have tubes of one number, another may be the one whose it is when it is known. */
const soughtFor = ({ fullUrl, resource }: Write): string => `${fullUrl} ${patientOf(resource)?.reference}`

/** @param message all that it writes, and what is known of that */
async function find(
  writes: readonly Write[],
  message: WrittenTo,
  signal: AbortSignal,
  deps: FindDeps,
): Promise<Stored> {
  const { store, breakers } = deps
  const { stored: known } = message
  const byIdentifier = writes.filter(({ key }) => key.parameter === 'identifier')
  // A question writes nothing: nobody is asked, so it neither waits for the store nor says that the store is well.
  if (byIdentifier.length === 0) return new Followed()
  const answers = await breakers.call(
    'fhir-server',
    () => store.findByIdentifiers<StoredResource>(byIdentifier.flatMap(soughtBy), { signal }),
    signal,
  )
  let next = 0
  const foundFor = byIdentifier.map((write) => {
    const foundBy = new Map(soughtKeys(write).map((key) => [key, answers[next++] ?? []]))
    const found = (key: Key | undefined) => (key && foundBy.get(key)) ?? []
    return {
      write,
      byKey: found(write.key),
      byExact: (write.exactKeys ?? []).map(found),
      byOthers: (write.otherKeys ?? []).map((key) => ({ key, found: found(key) })),
      replacements: found(write.replacementKey),
    }
  })
  const followed = new Followed()
  const isOfPerson = ({ write }: (typeof foundFor)[number]) => write.resource.resourceType === 'Patient'
  const isGoing = isAmong(
    writes.flatMap((write) => (survivorReference(write.resource) === undefined ? [] : keysOf(write))),
  )
  const peopleFor = foundFor.filter(isOfPerson).map(({ write, byKey, byOthers }) => {
    const byOther = byOthers.flatMap(({ found }) => found)
    const renumbered = isRenumbered(write) ? meantOf(byOther) : undefined
    const own = ownRecord(byKey, byOther, write)
    const byNumber = own === undefined ? recordOfPerson(byKey, write, byOther) : [own]
    const one = meantOf(byNumber) ?? renumbered ?? samePatient(byOther, write)
    return { write, byOthers, renumbered, one }
  })
  const goingInto = Map.groupBy(peopleFor, ({ write }) => survivorReference(write.resource))
  await Promise.all(
    peopleFor.map(async ({ write, byOthers, renumbered, one }) => {
      const going = goingInto.get(write.fullUrl)?.flatMap((other) => other.one?.id ?? []) ?? []
      const trail = one && (await mergesSince(write, one, signal, deps))
      const isTurnedRound = trail?.survivors.some(({ id }) => going.includes(id)) === true
      const survivor = isTurnedRound ? one : trail && (standingAt(trail) ?? one)
      if (isTurnedRound) followed.standsAgain.add(write.fullUrl)
      const taken = renumbered === undefined ? numbersElsewhere([one, survivor], byOthers, isGoing) : []
      if (taken.length > 0) followed.taken.set(write.fullUrl, taken)
      if (one === undefined || survivor === undefined) return
      await checkSameRecord(survivor, renumbered, write, signal, deps)
      followed.set(write.fullUrl, survivor)
      if (survivor !== one) followed.replaced.set(write.fullUrl, one)
    }),
  )
  for (const write of writes.filter(({ resource }) => survivorReference(resource) !== undefined)) {
    if (endsAnother(write, followed, writes))
      throw conflict('The number is that of a record of another facility.', { code: numberOfAnother })
    if (await wasMergedElsewhere(write, followed, signal, deps)) followed.mergedAgain.add(write.fullUrl)
  }
  const things = foundFor.filter((one) => !isOfPerson(one))
  const { isAnothers, wasOfAnother } = await othersAmong(things, [known, followed], signal, deps)
  for (const { write, replacements, ...byKeys } of things) {
    const isOfAnother = (one: StoredResource) => isAnothers(one, write)
    const same = isOfDirectory(write) ? sameEntry(write, byKeys) : sameThing(write, byKeys, isOfAnother)
    const { meant: numbered, taken, isAnothers: isTheirs = false } = same
    if (numbered !== undefined && wasOfAnother(numbered, write))
      throw conflict('It is neither of the patient who had it nor of the one who gets it.', { code: numberOfAnother })
    const isMention = numbered !== undefined && write.mode === 'ensure' && isOnlyMentioned(write)
    const isGone = numbered !== undefined && isMergedAway(numbered) && !isMergeOfVisit(write)
    // One after the other: of the visits that a message names, hardly one was merged away.
    const meant = isGone ? await standingVisit(numbered, signal, deps) : numbered
    if (isGone && meant !== numbered) followed.replaced.set(write.fullUrl, numbered)
    if (isTheirs || (meant !== undefined && isMention && isOfAnother(meant))) followed.anothers.add(write.fullUrl)
    else if (meant !== undefined) followed.set(write.fullUrl, meant)
    if (taken.length > 0) followed.taken.set(write.fullUrl, taken)
    if (!isTheirs && getsNumberOfAnother(write, meant, byKeys, isOfAnother)) followed.shared.add(write.fullUrl)
    for (const one of replacements.filter(isDocument)) if (!isOfAnother(one)) followed.chain.set(referenceTo(one), one)
  }
  for (const write of writes) if (joinsAccountOfAnother(write, followed)) followed.shared.add(write.fullUrl)
  leaveToOthers(writes, message, followed, isAnothers)
  for (const write of writes) if (goesToAnother(write, followed, isAnothers)) followed.moved.add(write.fullUrl)
  checkOneMeant(writes, followed, isAnothers)
  return followed
}

/** Whether a stored thing is another person's than the write. */
type IsAnothers = (one: StoredResource, write: Write) => boolean

interface Whose {
  readonly isAnothers: IsAnothers
  /** Whether it was not of the patient whose it was as the message has it (A44, A45), and is not where it goes already. */
  readonly wasOfAnother: IsAnothers
}

/** By their records; and where those differ, which is rare, by their golden records. */
async function othersAmong(
  things: readonly ({ readonly write: Write } & FoundByKeys)[],
  stored: readonly Stored[],
  signal: AbortSignal,
  deps: FindDeps,
): Promise<Whose> {
  const isOfOtherRecord: IsAnothers = (one, write) => isOnAnother(one, recordsOf(write, stored))
  const owners = new Set<string>()
  for (const { write, byKey, byExact, byOthers } of things) {
    for (const one of [byKey, ...byExact, ...byOthers.map(({ found }) => found)].flat()) {
      if (isOfOtherRecord(one, write) || write.movesFrom !== undefined)
        for (const owner of [...ownersOf(one), ...patientsOfAccount(one)]) owners.add(owner)
    }
  }
  if (owners.size === 0) return { isAnothers: isOfOtherRecord, wasOfAnother: () => false }
  const { isSamePerson, hasNoneOf } = await readOthers(owners, signal, deps)
  const isTheirs = (owner: string, write: Write) =>
    recordsOf(write, stored)?.some((record) => owner === referenceTo(record) || isSamePerson(record, owner)) === true
  return {
    isAnothers: (one, write) => isOfOtherRecord(one, write) && !ownersOf(one).some((owner) => isTheirs(owner, write)),
    wasOfAnother: (one, write) => {
      const { movesFrom = [] } = write
      const whose = [...ownersOf(one), ...patientsOfAccount(one)]
      if (movesFrom.length === 0 || whose.length === 0) return false
      return whose.every((owner) => hasNoneOf(owner, movesFrom) && !isTheirs(owner, write))
    },
  }
}

const ownersOf = (one: StoredResource): readonly string[] => patientsOf(one).flatMap(({ reference }) => reference ?? [])

/** What was another patient's and is said to be this one's, by an event that says nothing of a move. */
const goesToAnother = (write: Write, found: Stored, isAnothers: IsAnothers): boolean => {
  const there = found.get(write.fullUrl)
  if (there === undefined || write.mode === 'ensure' || write.movesFrom !== undefined) return false
  return patientsOf(write.resource).length > 0 && isAnothers(there, write)
}

/**
 * Laboratories give the numbers of tubes again, and some senders those of results. What is another patient's moves with its
 * report or its order; alone it is another one of the same number, and stays theirs. So does an order that a result answers.
 */
function leaveToOthers(writes: readonly Write[], message: WrittenTo, found: Followed, isAnothers: IsAnothers): void {
  const theirs = writes.flatMap((write) => {
    const there = mayBeGivenAgain(write) ? found.get(write.fullUrl) : undefined
    return there !== undefined && isAnothers(there, write) ? [{ write, there }] : []
  })
  if (theirs.length === 0) return
  const whose = (one: StoredResource) => patientOf(one)?.reference
  const moving = new Set(
    message.writes.flatMap((write) => {
      const there = found.get(write.fullUrl) ?? message.stored.get(write.fullUrl)
      return there !== undefined && takesAlong(write) && isAnothers(there, write) ? [whose(there)] : []
    }),
  )
  for (const { write, there } of theirs) {
    if (moving.has(whose(there))) continue
    found.delete(write.fullUrl)
    found.anothers.add(write.fullUrl)
  }
}

/** A number of a result (OBX-21) with an authority is taken to be its own. */
const mayBeGivenAgain = (write: Write): boolean => {
  const { resource, key } = write
  if (resource.resourceType === 'Observation') return key.system.endsWith('/FILL')
  return resource.resourceType === 'Specimen' || (resource.resourceType === 'ServiceRequest' && isOnlyMentioned(write))
}

/** It says whose it is. */
const takesAlong = (write: Write): boolean =>
  write.resource.resourceType === 'DiagnosticReport' ||
  (write.resource.resourceType === 'ServiceRequest' && !isOnlyMentioned(write))

/**
 * The number of an order alone may be that of a service or of a prescription; where the patient has both, only a person
 * knows which is meant.
 */
function checkOneMeant(writes: readonly Write[], found: Stored, isAnothers: IsAnothers): void {
  for (const write of writes) {
    const [one, whole] = [found.get(write.fullUrl), found.get(write.unlessStored ?? '')]
    if (one === undefined || whole === undefined || one.resourceType === whole.resourceType) continue
    if (!isAnothers(one, write))
      throw conflict('A service and a prescription have this number.', { code: 'MULTIPLE_MATCHES' })
  }
}

class Followed extends Map<string, StoredResource> implements Stored {
  readonly replaced = new Map<string, StoredResource>()
  readonly taken = new Map<string, readonly TakenNumber[]>()
  readonly anothers = new Set<string>()
  readonly shared = new Set<string>()
  readonly moved = new Set<string>()
  readonly mergedAgain = new Set<string>()
  readonly standsAgain = new Set<string>()
  readonly chain = new Map<string, StoredDocument>()
}

const soughtKeys = (write: Write): readonly Key[] =>
  write.replacementKey === undefined ? keysOf(write) : [...keysOf(write), write.replacementKey]

const soughtBy = (write: Write): SoughtIdentifier[] =>
  soughtKeys(write).map(({ system, value }) => ({ type: write.resource.resourceType, system, value }))

/** Whoever writes to somebody who was merged away means the record that stayed, unless it is the merge itself. */
async function mergesSince(
  { resource }: Write,
  one: StoredResource,
  signal: AbortSignal,
  { store, breakers }: FindDeps,
): Promise<MergeTrail<StoredPatient>> {
  if (survivorReference(resource) !== undefined || !isPatient(one)) return { survivors: [], end: 'stands' }
  return mergeTrail(one, (id) =>
    breakers.call('fhir-server', () => store.read<StoredPatient>('Patient', id, { signal }), signal),
  )
}

const standingAt = ({ survivors, end }: MergeTrail<StoredPatient>): StoredPatient | undefined =>
  end === 'circle' ? undefined : survivors.at(-1)

/**
 * Record numbers of the message that other records have stay with those: on both, a number would find two. Somebody has to look,
 * unless the other was merged away or goes by this message, or is known to be of the same person.
 */
function numbersElsewhere(
  own: readonly (StoredResource | undefined)[],
  byOthers: FoundByKeys['byOthers'],
  isGoing: (key: Key) => boolean,
): TakenNumber[] {
  const golden = own[0] && goldenReference(own[0])
  const isDoubtful = (other: StoredResource) =>
    survivorReference(other) === undefined && (golden === undefined || goldenReference(other) !== golden)
  return byOthers.flatMap(({ key, found }) =>
    found.length === 0 || found.some(({ id }) => own.some((one) => one?.id === id))
      ? []
      : [{ ...key, isDoubtful: !isGoing(key) && found.some(isDoubtful) }],
  )
}

/**
 * Whether a record that goes has gone into a third one before (A40). From now on it is what was said last, but what was known of it
 * went with the first merge.
 */
async function wasMergedElsewhere(
  { fullUrl, resource }: Write,
  found: Stored,
  signal: AbortSignal,
  { store, breakers }: FindDeps,
): Promise<boolean> {
  const survivor = found.get(survivorReference(resource) ?? '')
  const there = found.get(fullUrl)
  if (survivor === undefined || there === undefined || !isPatient(there) || there.id === survivor.id) return false
  const before = linkedPatientId(there, 'replaced-by')
  if (before === undefined || before === survivor.id) return false
  const { survivors } = await mergeTrail(there, (id) =>
    breakers.call('fhir-server', () => store.read<StoredPatient>('Patient', id, { signal }), signal),
  )
  return !survivors.some(({ id }) => id === survivor.id)
}

/** Who gets another identifier (A47) does not get that of somebody else: from then on it would find both. */
async function checkSameRecord(
  one: StoredResource,
  other: StoredResource | undefined,
  write: Write,
  signal: AbortSignal,
  deps: FindDeps,
): Promise<void> {
  if (other === undefined || other.id === one.id) return
  const { id } = standingAt(await mergesSince(write, other, signal, deps)) ?? other
  if (id !== one.id) throw conflict('The identifier is that of another record.', { code: numberOfAnother })
}

type StoredPatient = Patient & { readonly id: string }

const isMergedAway = (one: StoredResource): boolean => survivingVisit(one) !== undefined

const isPatient = (one: StoredResource): one is StoredPatient => one.resourceType === 'Patient'

/** The stored records of the patients whose a write is, that of the survivor and the one that was merged away; if it says whose. */
function recordsOf({ resource, defaults }: Write, found: readonly Stored[]): readonly StoredResource[] | undefined {
  const ofResource = resource.resourceType === 'Account' ? (resource.subject ?? []) : patientsOf(resource)
  const said = (ofResource.length === 0 ? patientsOf(defaults) : ofResource).flatMap(({ reference }) => reference ?? [])
  if (said.length === 0) return undefined
  return found.flatMap((stored) =>
    said.flatMap((one) => [stored.get(one) ?? [], stored.replaced?.get(one) ?? []].flat()),
  )
}

/** Whether a stored thing belongs to other records than these alone, as far as both are told. */
function isOnAnother(one: StoredResource, records: readonly StoredResource[] | undefined): boolean {
  const owners = ownersOf(one)
  if (owners.length === 0 || records === undefined) return false
  const isTheirs = (there: string) =>
    records.some((record) => there === `Patient/${record.id}` || hasReplaced(record, there))
  return !owners.some(isTheirs)
}

/** What a record that was merged into this one had is not all re-pointed yet. */
const hasReplaced = (record: StoredResource, there: string): boolean =>
  isPatient(record) && record.link?.some(({ type, other }) => type === 'replaces' && other.reference === there) === true
