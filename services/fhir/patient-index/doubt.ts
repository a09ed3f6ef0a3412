import type { Clock } from '../../../packages/clock/clock.ts'
import type { Ids } from '../../../packages/clock/ids.ts'
import type { Match } from './rank.ts'
import type { NewReview } from './store/reviews.ts'

/** Somebody who may be one of others: somebody has to decide. */
export interface Doubt {
  readonly goldenId: string
  /** Those whom they may be, but not for certain. */
  readonly matches: readonly Match[]
}

export interface ReviewsDeps {
  readonly clock: Clock
  readonly ids: Ids
}

export function reviewsOf(doubts: readonly Doubt[], { clock, ids }: ReviewsDeps): NewReview[] {
  const createdAt = clock.now()
  return doubts.flatMap((doubt) => bestOf(doubt).map((match) => reviewOf(doubt, match, createdAt, ids)))
}

/** One a person that it may be; the best few, for somebody has to look at them. */
function bestOf({ goldenId, matches }: Doubt): Match[] {
  const best = new Map(matches.toReversed().map((match) => [match.goldenId, match]))
  return [...best.values()]
    .filter((match) => match.goldenId !== goldenId)
    .sort((one, other) => other.probability - one.probability)
    .slice(0, reviewsMax)
}

const reviewsMax = 5

const reviewOf = ({ goldenId }: Doubt, match: Match, createdAt: Date, ids: Ids): NewReview => ({
  id: ids.timeUuid(),
  goldenId,
  candidateGoldenId: match.goldenId,
  candidatePatientId: match.patientId,
  probability: match.probability,
  grade: match.grade,
  comparisons: match.comparisons.map(({ field, agreement }) => ({ field, agreement })),
  createdAt,
})
