import type { Queryable } from '../../../packages/sql/queryable.ts'
import { blockingKeys, recordKeys } from './blocking-keys.ts'
import { bitsOfNamesAlone } from './compare/compare.ts'
import { evenChance } from './grade.ts'
import type { NameFrequency } from './name-frequency.ts'
import type { NamesInUse } from './names-in-use.ts'
import { fullBirthDate, type Person } from './person.ts'
import { rank, type Candidate, type Match } from './rank.ts'
import { findCandidates, type Asked, type Candidates } from './store/candidates.ts'

export interface MatchDeps {
  readonly database: Queryable
  readonly names: Pick<NamesInUse, 'frequency'>
}

export interface Found {
  /** The likeliest first. */
  readonly matches: readonly Match[]
  /** The record that has one of this person's own record numbers: the very same record, seen before. */
  readonly known: Candidate | undefined
}

/** Looks for many people at once, with one query. */
export async function findMatches(people: readonly Person[], deps: MatchDeps): Promise<Found[]> {
  const frequency = await deps.names.frequency()
  const asked = people.map((person) => askedFor(person, frequency))
  const candidates = await findCandidates(asked, deps.database)
  return people.map((person, at) => findAmong(candidates[at] ?? nobody, person, frequency))
}

/** The same where it is enough to know whose record it is: beside a record that was seen before nobody is looked for. */
export async function findKnownOrMatches(people: readonly Person[], deps: MatchDeps): Promise<Found[]> {
  const asked = people.map((person) => ({ keys: recordKeys(person) }))
  const candidates = await findCandidates(asked, deps.database)
  const known = people.map((person, at) => knownAmong(candidates[at]?.found ?? [], person))
  const strangers = people.filter((_person, at) => known[at] === undefined)
  const found = strangers.length === 0 ? [] : await findMatches(strangers, deps)
  return known.map((one) => (one === undefined ? (found.shift() ?? nothing) : { matches: [], known: one }))
}

/** Of those who have no more than common names in common, only those are brought whom the birth date does not rule out. */
export function askedFor(person: Person, frequency: NameFrequency): Asked {
  const keys = blockingKeys(person)
  const areNamesTooCommon = bitsOfNamesAlone(person, frequency) < evenChance(frequency)
  return areNamesTooCommon ? { keys, born: fullBirthDate(person) } : { keys }
}

export function findAmong(
  { found, isTruncated }: Pick<Candidates, 'found' | 'isTruncated'>,
  person: Person,
  frequency: NameFrequency,
): Found {
  return {
    matches: rank(person, found, { frequency, isTruncated }),
    known: knownAmong(found, person),
  }
}

export const nobody = { found: [], isTruncated: false } as const
export const nothing: Found = { matches: [], known: undefined }

/** What is a record number here may be a national one there: only the same kind of number is the same record. */
const knownAmong = (found: readonly Candidate[], person: Person) =>
  found.find((candidate) => sharesRecordId(candidate.person, person))

const sharesRecordId = (one: Person, other: Person) => one.recordIds.some((id) => other.recordIds.includes(id))
