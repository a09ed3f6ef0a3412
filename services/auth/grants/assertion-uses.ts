import { Batcher } from '../../../packages/sql/batcher.ts'
import type { Database } from '../../../packages/sql/database.ts'
import { keyOfAssertion, takeAssertions, type UsedAssertion } from '../store/client-assertions.ts'

/** Answers whether this is an assertion's first use. Those that come at the same time are written together. */
export type AssertionUses = Batcher<UsedAssertion, boolean>

export function assertionUses(database: Database): AssertionUses {
  return new Batcher({
    writers: 1,
    keysOf: (assertion) => [keyOfAssertion(assertion)],
    write: (assertions) => takeAssertions(assertions, database),
  })
}
