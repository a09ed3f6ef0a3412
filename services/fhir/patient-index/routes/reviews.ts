import { Type } from 'typebox'
import { instant, list, object, oneOf, optional, orNull, text, uuid } from '../../../../packages/http/fields.ts'
import { pageOf, pageQuery, PageSchema, readPage } from '../../../../packages/http/page-envelope.ts'
import type { IncomingRequest } from '../../../../packages/http/request.ts'
import { type FailedRequest, route } from '../../../../packages/http/route.ts'
import { roleWithScope } from '../../../../packages/http/who.ts'
import type { Caller } from '../../../../packages/tokens/caller.ts'
import { type AuditTrail, recordFault } from '../../interactions/audited.ts'
import { confirmReview, rejectReview, type ReviewDeps } from '../decide-review.ts'
import { listReviews, reviewStatuses, type Review } from '../store/reviews.ts'

const ReviewView = object({
  id: uuid(),
  goldenId: text({ description: 'The golden record that was made because nobody was found for certain.' }),
  candidateGoldenId: text({ description: 'The golden record that it may be the same as.' }),
  candidatePatientId: text({ description: 'The Patient that was most like it.' }),
  score: Type.Number({ description: 'How likely it is that they are one person, from 0 to 1.' }),
  grade: oneOf(['certain', 'probable', 'possible']),
  comparisons: list(object({ field: text(), agreement: oneOf(['agrees', 'partly', 'contradicts']) })),
  status: oneOf([...reviewStatuses]),
  createdAt: instant(),
  decidedAt: orNull(instant()),
  decidedBy: orNull(text()),
})

const tags = ['patient index'] as const
/** Merging people is for those who answer for the records of all facilities, and not for every app that they let in. */
const readers = roleWithScope('ADMIN', 'user/Patient.rs', 'system/Patient.rs')
const deciders = roleWithScope('ADMIN', 'user/Patient.u', 'system/Patient.u')

const listAll = route({
  method: 'GET',
  path: '/api/patient-index/reviews',
  who: readers,
  tags,
  summary: 'Pairs of golden records that may be one person, the likeliest first',
  input: { query: { status: optional(oneOf([...reviewStatuses])), ...pageQuery() } },
  output: { 200: PageSchema(ReviewView) },
  run: async ({ query }, { database }: ReviewDeps) => {
    const page = readPage(query)
    const { reviews, total } = await listReviews(query.status ?? 'open', page, database)
    return pageOf(reviews.map(viewOf), page, total)
  },
})

const confirm = route({
  method: 'POST',
  path: '/api/patient-index/reviews/:id/confirm',
  who: deciders,
  tags,
  summary: 'They are one person: merges the two golden records',
  input: { params: { id: uuid() } },
  output: { 200: ReviewView },
  onFault: recordRefusal,
  run: (decision, deps: AuditedReviewDeps) => audited(confirmReview, decision, deps),
})

const reject = route({
  method: 'POST',
  path: '/api/patient-index/reviews/:id/reject',
  who: deciders,
  tags,
  summary: 'They are two people: the pair is not asked about again',
  input: { params: { id: uuid() } },
  output: { 200: ReviewView },
  onFault: recordRefusal,
  run: (decision, deps: AuditedReviewDeps) => audited(rejectReview, decision, deps),
})

export const reviewRoutes = [listAll, confirm, reject] as const

interface AuditedReviewDeps extends ReviewDeps {
  readonly audit: AuditTrail
}

interface Decision {
  readonly params: { readonly id: string }
  readonly caller: Caller
  readonly request: IncomingRequest
}

/** To say that two people are one changes the record of both, and so does to say that they are not. */
async function audited(decide: typeof confirmReview, decision: Decision, deps: AuditedReviewDeps) {
  const { params, caller, request } = decision
  await deps.audit.admit()
  const review = await decide(params.id, caller.subject, deps)
  const ids = new Set([review.goldenId, review.candidateGoldenId, review.candidatePatientId])
  deps.audit.record({
    ...{ at: deps.clock.now(), interaction: 'operation', outcome: { kind: 'success' }, caller },
    ...{ requestId: request.id, peer: request.peer, question: questionOf(request) },
    touched: [...ids].map((id) => ({ type: 'Patient', id })),
  })
  return viewOf(review)
}

function recordRefusal({ fault, caller, request }: FailedRequest, deps: AuditedReviewDeps): void {
  // Sound: these are routes for roles, so whoever was found is a Caller.
  const access = { interaction: 'operation', caller: caller as Caller | undefined } as const
  recordFault({ ...access, requestId: request.id, peer: request.peer, question: questionOf(request) }, fault, deps)
}

/** `patient-index/reviews/…/confirm` */
const questionOf = ({ url }: IncomingRequest): string => url.replace('/api/', '').split('?', 1)[0] ?? ''

const viewOf = ({ probability, createdAt, decidedAt, ...review }: Review) => ({
  ...review,
  score: probability,
  createdAt: createdAt.toISOString(),
  decidedAt: decidedAt?.toISOString() ?? null,
})
