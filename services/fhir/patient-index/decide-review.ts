import type { Clock } from '../../../packages/clock/clock.ts'
import { conflict, missing } from '../../../packages/faults/fault.ts'
import type { Database, Transaction } from '../../../packages/sql/database.ts'
import { asItKeepsRefusals, mergeGoldenRecords } from './golden/merge.ts'
import type { PatientRecords } from './patient-records.ts'
import { decideReview, findReview, redirectReviews, type Review } from './store/reviews.ts'

export interface ReviewDeps {
  readonly database: Database
  readonly records: PatientRecords
  readonly clock: Clock
}

/** They are one person: the newer golden record is merged into the one that was there before, unless that loses refusals. */
export function confirmReview(id: string, by: string, deps: ReviewDeps): Promise<Review> {
  const { database, clock, records } = deps
  return database.transaction(async (tx) => {
    const review = await decided(id, { status: 'confirmed', by, at: clock.now() }, tx)
    const asked = { from: review.goldenId, into: review.candidateGoldenId }
    const { from, into } = await asItKeepsRefusals(asked, tx, records)
    await mergeGoldenRecords({ from, into }, tx, records)
    await redirectReviews(from, into, clock.now(), tx)
    return review
  })
}

/** They are two people, and this pair is not asked about again. */
export function rejectReview(id: string, by: string, { database, clock }: ReviewDeps): Promise<Review> {
  return database.transaction((tx) => decided(id, { status: 'rejected', by, at: clock.now() }, tx))
}

async function decided(id: string, decision: Parameters<typeof decideReview>[1], tx: Transaction): Promise<Review> {
  const review = await decideReview(id, decision, tx)
  if (review !== undefined) return review
  const known = await findReview(id, tx)
  if (known === undefined) throw missing('There is no such review.')
  throw conflict(`This review was ${known.status} before.`, { code: 'REVIEW_DECIDED' })
}
