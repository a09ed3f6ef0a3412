import type { Queryable, Transaction } from '../../../../packages/sql/queryable.ts'
import type { Statement } from '../../../../packages/sql/sql.ts'
import { hash64 } from '../../store/keys.ts'
import { claimStatements } from '../../store/resolve.ts'
import type { Person } from '../person.ts'
import type { Candidate } from '../rank.ts'
import { amongAll, amongSeen, type Asked, type CandidateRow, type Looking } from './looking.ts'

export interface Candidates {
  readonly found: readonly Candidate[]
  /** A key is shared by more records than are looked at. */
  readonly isTruncated: boolean
}

/**
 * The records that share a key with each of the asked, in one query for all of them.
 *
 * @param reach a condition on the row `r` of a Patient in `fhir.resources`: everybody else is as if they were not there,
 *   in the limits and on the way to a golden record, too.
 */
export async function findCandidates(
  asked: readonly Asked[],
  on: Queryable,
  reach?: Statement,
): Promise<readonly Candidates[]> {
  const looking = reach === undefined ? amongAll : amongSeen(reach)
  return candidatesIn(asked, await on.many<CandidateRow>(looking.for(asked)), looking, on)
}

/**
 * The same, for whoever writes down those that are not found: until the transaction ends, nobody else gets an answer who
 * asks for a person with one of these keys.
 */
export async function claimCandidates(
  asked: readonly Asked[],
  now: Date,
  tx: Transaction,
): Promise<readonly Candidates[]> {
  const claims = asked.flatMap(({ keys }) => keys).map((key) => hash64(`person ${key}`))
  const answers = await tx.together([...claimStatements(claims, now), amongAll.for(asked)])
  // Sound: it is what the last statement selects.
  return candidatesIn(asked, answers.at(-1) as CandidateRow[], amongAll, tx)
}

async function candidatesIn(
  asked: readonly Asked[],
  rows: readonly CandidateRow[],
  looking: Looking,
  on: Queryable,
): Promise<readonly Candidates[]> {
  const ends = await endsOf(rows, looking, on)
  const answers = asked.map(() => ({ found: [] as Candidate[], isTruncated: false }))
  for (const { at, patientId, goldenId, goldenBefore, person, full } of rows) {
    const answer = answers[at]
    if (answer === undefined) continue
    // Sound: this folder wrote it in this shape. Before there were personal numbers, they were among those of records.
    const own = { personalIds: [], ...(JSON.parse(person) as IndexedBefore) }
    const before = goldenBefore === null ? {} : { goldenBefore }
    answer.found.push({ patientId, goldenId: ends.get(goldenId) ?? goldenId, ...before, person: own })
    answer.isTruncated ||= full
  }
  return answers
}

type IndexedBefore = Omit<Person, 'personalIds'> & Partial<Person>

/** Who was merged may have been merged into somebody who was since; few are, so that nobody else is asked about them. */
async function endsOf(
  rows: readonly CandidateRow[],
  looking: Looking,
  on: Queryable,
): Promise<ReadonlyMap<string, string>> {
  const starts = new Set(rows.filter(({ goesOn }) => goesOn).map(({ goldenId }) => goldenId))
  if (starts.size === 0) return new Map()
  const trails = await on.many<{ start: string; goldenId: string }>(looking.goingOnFrom([...starts]))
  return new Map(trails.map(({ start, goldenId }) => [start, goldenId]))
}
