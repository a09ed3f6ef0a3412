import type { Queryable, Transaction } from '../../../../packages/sql/queryable.ts'
import type { Statement } from '../../../../packages/sql/sql.ts'
import { hash64 } from '../../store/keys.ts'
import { claimStatements } from '../../store/resolve.ts'
import { keysOfRivals } from '../blocking-keys.ts'
import type { Candidate } from '../rank.ts'
import { amongAll, amongSeen, type Asked, type AskedOfRivals, type CandidateRow, type Looking } from './looking.ts'
import { personIn } from './people.ts'

export interface Candidates {
  readonly found: readonly Candidate[]
  /** A key is shared by more records than are looked at, and whoever counts among them is not all here either. */
  readonly isTruncated: boolean
}

/**
 * The records that share a key with each of the asked, in one query for all of them, and one more for those who have common keys.
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
  first: readonly CandidateRow[],
  looking: Looking,
  on: Queryable,
): Promise<readonly Candidates[]> {
  const { rivals, isHopeless } = whomElseToAsk(asked, first)
  const further = rivals.length === 0 ? [] : await on.many<CandidateRow>(looking.ofRivals(rivals))
  const ends = await endsOf([...first, ...further], looking, on)
  const answers = asked.map((_one, at) => ({ found: new Map<string, Candidate>(), isTruncated: isHopeless.has(at) }))
  for (const { at, cut } of further) if (cut !== null && answers[at] !== undefined) answers[at].isTruncated = true
  for (const { at, patientId, goldenId, goldenBefore, person } of [...first, ...further]) {
    const own = personIn(person)
    const before = goldenBefore === null ? {} : { goldenBefore }
    answers[at]?.found.set(patientId, { patientId, goldenId: ends.get(goldenId) ?? goldenId, ...before, person: own })
  }
  return answers.map(({ found, isTruncated }) => ({ found: [...found.values()], isTruncated }))
}

/** Nearly nobody: those who have a key that more people have than are looked at. */
function whomElseToAsk(
  asked: readonly Asked[],
  rows: readonly CandidateRow[],
): { readonly rivals: readonly AskedOfRivals[]; readonly isHopeless: ReadonlySet<number> } {
  const cuts = Map.groupBy(
    rows.flatMap(({ at, cut }) => (cut ?? []).map((key) => ({ at, key }))),
    ({ at }) => at,
  )
  const rivals: AskedOfRivals[] = []
  const isHopeless = new Set<number>()
  for (const [at, ofOne] of cuts) {
    const narrow = keysOfRivals([...new Set(ofOne.map(({ key }) => key))], asked[at]?.born)
    if (narrow === undefined) isHopeless.add(at)
    else if (narrow.length > 0) rivals.push({ at, narrow })
  }
  return { rivals, isHopeless }
}

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
