import type { Queryable } from '../../../packages/sql/queryable.ts'
import { blockingKeys } from './blocking-keys.ts'
import type { NameFrequency } from './name-frequency.ts'
import type { NamesInUse } from './names-in-use.ts'
import type { Person } from './person.ts'
import { rank, type Candidate, type Match } from './rank.ts'
import { findCandidates, type Candidates } from './store/candidates.ts'

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
  const candidates = await findCandidates(people.map(blockingKeys), deps.database)
  return people.map((person, at) => findAmong(candidates[at] ?? nobody, person, frequency))
}

export function findAmong({ found, isTruncated }: Candidates, person: Person, frequency: NameFrequency): Found {
  return {
    matches: rank(person, found, { frequency, isTruncated }),
    known: found.find((candidate) => sharesRecordId(candidate.person, person)),
  }
}

export const nobody: Candidates = { found: [], isTruncated: false }

const sharesRecordId = (one: Person, other: Person) => one.recordIds.some((id) => other.recordIds.includes(id))
