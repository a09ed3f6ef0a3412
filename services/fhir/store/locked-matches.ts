import { conflict } from '../../../packages/faults/fault.ts'
import type { Transaction } from '../../../packages/sql/queryable.ts'
import { lookUp, type LookedUp } from './look-up.ts'
import type { Key } from './keys.ts'
import type { Question } from './resolve.ts'
import type { WriteDeps } from './write-deps.ts'

export interface ClaimingQuestion extends Question {
  /** What finds nothing may create: nobody else may do so meanwhile. */
  readonly mayCreate: boolean
}

/** What each question finds, at most two, and what is named, locked: it stays so until the transaction ends. */
export async function lockMatches(
  { questions, keys = [] }: { readonly questions: readonly ClaimingQuestion[]; readonly keys?: readonly Key[] },
  tx: Transaction,
  deps: Pick<WriteDeps, 'engine' | 'clock'>,
): Promise<LookedUp> {
  if (questions.length + keys.length === 0) return { found: [], heads: new Map() }
  let claims = questions.filter(({ mayCreate }) => mayCreate).map(({ criteria }) => criteria.claim)
  // What changed between the search and the lock is searched again; it is locked by then and cannot change once more.
  for (let attempt = 1; attempt <= attemptsMax; attempt++) {
    const looked = await lookUp({ questions, keys, claims }, tx, deps)
    const single = looked.found.flatMap((matches) => (matches.length === 1 ? matches : []))
    if (single.every(({ key, version }) => looked.heads.get(key)?.version === version)) return looked
    claims = []
  }
  throw conflict('The resources that the criteria find change too fast. Try again.')
}

const attemptsMax = 5
