import type { Write } from '../mapping/mapped.ts'
import type { WrittenTo } from './brought.ts'
import { withCancelledResults } from './cancelled-results.ts'
import { withDocumentChains } from './document-chains.ts'
import { withDocuments } from './documents-of-results.ts'
import { withEndedKin } from './ended-kin.ts'
import { withEndedRoles } from './ended-roles.ts'
import type { FindDeps } from './find-deps.ts'
import { withLeftSlots } from './left-slots.ts'
import { withMergedVisits } from './merged-visits.ts'
import { withMovedAccounts } from './moved-accounts.ts'
import { withMoves } from './moves.ts'
import { withResultsOfDoses } from './results-of-doses.ts'
import type { Stored } from './stored.ts'

/** What the message does to something that it does not name: found in the store, and written with the rest of it. */
type Consequence = (writes: readonly Write[], stored: Stored, signal: AbortSignal, deps: FindDeps) => Promise<WrittenTo>

/**
 * In this order: an account brings the visits that move with it, a visit that moves or is merged brings what was found in
 * it, and a result that is cancelled with its report takes back its file.
 */
const consequences: readonly Consequence[] = [
  withEndedRoles,
  withEndedKin,
  withLeftSlots,
  withMovedAccounts,
  withMoves,
  withMergedVisits,
  withCancelledResults,
  withResultsOfDoses,
  withDocumentChains,
  withDocuments,
]

export async function withConsequences(said: WrittenTo, signal: AbortSignal, deps: FindDeps): Promise<WrittenTo> {
  let whole = said
  for (const consequence of consequences) whole = await consequence(whole.writes, whole.stored, signal, deps)
  return whole
}
