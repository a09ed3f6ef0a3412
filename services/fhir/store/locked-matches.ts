import { conflict } from '../../../packages/faults/fault.ts'
import type { Queryable } from '../../../packages/sql/queryable.ts'
import type { Match } from '../search/engine.ts'
import { lockHeads } from './heads.ts'
import { claim, findMatches, type Question } from './resolve.ts'
import type { WriteDeps } from './write.ts'

export interface ClaimingQuestion extends Question {
  /** What finds nothing may create: nobody else may do so meanwhile. */
  readonly mayCreate: boolean
}

/** What each question finds, at most two, locked: it stays so until the transaction ends. */
export async function lockMatches(
  questions: readonly ClaimingQuestion[],
  tx: Queryable,
  deps: WriteDeps,
): Promise<Match[][]> {
  if (questions.length === 0) return []
  const claims = questions.filter(({ mayCreate }) => mayCreate).map(({ criteria }) => criteria.claim)
  if (claims.length > 0) await claim(claims, deps.clock.now(), tx)
  // What changed between the search and the lock is searched again; it is locked by then and cannot change once more.
  for (let attempt = 1; attempt <= attemptsMax; attempt++) {
    const found = await findMatches(questions, deps.engine, tx)
    const single = found.flatMap((matches) => (matches.length === 1 ? matches : []))
    const heads = await lockHeads(
      single.map(({ key }) => key),
      tx,
    )
    if (single.every(({ key, version }) => heads.get(key)?.version === version)) return found
  }
  throw conflict('The resources that the criteria find change too fast. Try again.')
}

const attemptsMax = 5
