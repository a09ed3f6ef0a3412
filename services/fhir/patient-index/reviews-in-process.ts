import type { Caller } from '../../../packages/tokens/caller.ts'
import { forbidden } from '../../../packages/faults/fault.ts'
import type { PatientReviews } from '../../../ports/patient-index/patient-reviews.ts'
import { confirmReview, rejectReview, type ReviewDeps } from './decide-review.ts'
import { listReviews } from './store/reviews.ts'

/** The reviews for a service of the same process, in the name of whoever decides: they are for administrators. */
export function patientReviewsInProcess({ roles, subject }: Caller, deps: ReviewDeps): PatientReviews {
  const onlyAdministrators = () => {
    if (!roles.has('ADMIN')) throw forbidden('Reviews are for administrators.')
  }
  return {
    async open({ number, size }) {
      onlyAdministrators()
      const { reviews, total } = await listReviews('open', { size, offset: number * size }, deps.database)
      return { reviews: reviews.map(({ probability, ...review }) => ({ ...review, score: probability })), total }
    },
    async decide(id, decision) {
      onlyAdministrators()
      const decideOn = decision === 'confirm' ? confirmReview : rejectReview
      await decideOn(id, subject, deps)
    },
  }
}
