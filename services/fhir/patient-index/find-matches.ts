import type { Queryable } from '../../../packages/sql/queryable.ts'
import type { Statement } from '../../../packages/sql/sql.ts'
import { blockingKeys, recordKeys } from './blocking-keys.ts'
import { bitsOfNamesAlone } from './compare/compare.ts'
import { evenChance } from './grade.ts'
import type { IndexMetrics } from './index-metrics.ts'
import { uncounted, type NameFrequency } from './name-frequency.ts'
import type { NamesInUse } from './names-in-use.ts'
import { fullBirthDate, type Person } from './person.ts'
import { compareIds, rank, type Candidate, type Match } from './rank.ts'
import { findCandidates, type Candidates } from './store/candidates.ts'
import type { Asked } from './store/looking.ts'

export interface MatchDeps {
  readonly database: Queryable
  readonly names: Pick<NamesInUse, 'frequency'>
  readonly indexMetrics: IndexMetrics
  /**
   * A condition on the row `r` of a Patient in `fhir.resources`; unsaid: everybody may be seen. To whom it is said, the
   * answer is that of an index which holds nobody else.
   */
  readonly reach?: Statement | undefined
}

export interface Found {
  /** The likeliest first. */
  readonly matches: readonly Match[]
  /**
   * The records that have one of this person's own record numbers, in the order of these: the very same record, seen
   * before. Several may be there, and not all of one person.
   */
  readonly known: readonly Candidate[]
}

/** Looks for many people at once, with one query. */
export async function findMatches(people: readonly Person[], deps: MatchDeps): Promise<Found[]> {
  const { database, names, indexMetrics, reach } = deps
  const frequency = reach === undefined ? await names.frequency() : uncounted
  const asked = people.map((person) => askedFor(person, frequency))
  const candidates = await findCandidates(asked, database, reach)
  indexMetrics.truncated.inc(candidates.filter(({ isTruncated }) => isTruncated).length)
  return people.map((person, at) => findAmong(candidates[at] ?? nobody, person, frequency))
}

/** The same where it is enough to know whose record it is: beside a record that was seen before nobody is looked for. */
export async function findKnownOrMatches(people: readonly Person[], deps: MatchDeps): Promise<Found[]> {
  const asked = people.map((person) => ({ keys: recordKeys(person) }))
  const candidates = await findCandidates(asked, deps.database)
  const known = people.map((person, at) => knownAmong(candidates[at]?.found ?? [], person))
  const strangers = people.filter((_person, at) => known[at]?.length === 0)
  const found = strangers.length === 0 ? [] : await findMatches(strangers, deps)
  return known.map((seen) => (seen.length === 0 ? (found.shift() ?? nothing) : { matches: [], known: seen }))
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
export const nothing: Found = { matches: [], known: [] }

/** What is a record number here may be a national one there: only the same kind of number is the same record. */
function knownAmong(found: readonly Candidate[], { recordIds }: Person): readonly Candidate[] {
  const placed = found.flatMap((candidate) => {
    const own = new Set(candidate.person.recordIds)
    const place = recordIds.findIndex((id) => own.has(id))
    return place === -1 ? [] : [{ candidate, place }]
  })
  // Rows come in any order; whoever asks again is answered the same.
  return placed
    .sort((one, other) => one.place - other.place || compareIds(one.candidate.patientId, other.candidate.patientId))
    .map(({ candidate }) => candidate)
}
