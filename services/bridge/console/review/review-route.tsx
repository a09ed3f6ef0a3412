import { page, redirect } from '../../../../packages/http/answer.ts'
import { formType } from '../../../../packages/http/body.ts'
import { html, nothing } from '../../../../packages/http/content.ts'
import { fhirId, object, oneOf, optional, uuid } from '../../../../packages/http/fields.ts'
import { lastPageBefore, pagesOf, pageQuery, readPage } from '../../../../packages/http/page-envelope.ts'
import type { Patient } from '../../../../packages/fhir/r4.ts'
import { visiting } from '../../../../packages/sign-in/visiting.ts'
import { renderPage } from '../../../../packages/views/render.ts'
import type { FhirStore } from '../../../../ports/fhir-store/fhir-store.ts'
import { goldenIdOf } from '../../../../ports/patient-index/golden-link.ts'
import type { PatientReview } from '../../../../ports/patient-index/patient-reviews.ts'
import { recordLook } from '../../store/looks.ts'
import { consoleRoute } from '../deps.ts'
import { ReviewPage, type Decided } from './review-page.tsx'
import { pairOf, personOf, type ReviewPair } from './review-rows.ts'

const tags = ['Console']
/** Whom a decision was about. */
const twoRecords = { one: optional(fhirId()), other: optional(fhirId()) }
const pairsOnPage = 10
/** Facilities that may know one person before the list of a search is cut. */
const recordsOfOne = 10

export const reviewPage = consoleRoute({
  method: 'GET',
  path: '/console/review',
  who: visiting('ADMIN'),
  tags,
  summary: 'Records that may be one person, side by side; the look is recorded',
  input: { query: { ...pageQuery(), decided: optional(oneOf(['confirm', 'reject'])), ...twoRecords } },
  output: { 200: html, 302: nothing },
  run: async ({ query, caller: visitor, request }, deps) => {
    const number = numberIn(query)
    const { signal } = request
    const { reviews, total } = await deps.reviewsOf(visitor).open({ number, size: pairsOnPage }, { signal })
    const pages = pagesOf({ number, size: pairsOnPage }, total)
    const last = lastPageBefore(pages)
    if (last !== undefined) return redirect(302, pathOf(last, query))
    const look = { caller: visitor.caller, transactionId: '', what: 'review', requestId: request.id } as const
    if (reviews.length > 0) await recordLook(look, deps)
    const store = deps.storeOf(visitor)
    const [pairs, decided] = await Promise.all([pairsOf(reviews, store, signal), decidedIn(query, store, signal)])
    const { addresses, assetUrl } = deps
    const model = { visitor, addresses, assetUrl, pairs, page: pages, ...(decided === undefined ? {} : { decided }) }
    return page(renderPage(<ReviewPage model={model} />))
  },
})

export const decideReview = consoleRoute({
  method: 'POST',
  path: '/console/review/:id/:decision',
  who: visiting('ADMIN'),
  tags,
  summary: 'Says whether two records are one person',
  accepts: [formType],
  input: {
    params: { id: uuid(), decision: oneOf(['confirm', 'reject']) },
    body: object({ ...pageQuery(), ...twoRecords }),
  },
  output: { 303: nothing },
  run: async ({ params: { id, decision }, body, caller: visitor, request }, deps) => {
    const { caller } = visitor
    const action = { did: `${decision}-review`, to: { kind: 'patient-review', id }, caller, request } as const
    await deps.audited(action, () => deps.reviewsOf(visitor).decide(id, decision, { signal: request.signal }))
    return redirect(303, pathOf(numberIn(body), { ...body, decided: decision }))
  },
})

const numberIn = ({ page: said }: { readonly page?: string }): number =>
  readPage(said === undefined ? {} : { page: said }).number

interface AskedFor {
  readonly decided?: Decided['decision']
  readonly one?: string
  readonly other?: string
}

function pathOf(number: number, { decided, one, other }: AskedFor): string {
  const said = Object.entries({ decided, one, other }).map(([name, value]) =>
    value === undefined ? '' : `&${name}=${value}`,
  )
  return `/console/review?page=${number}${said.join('')}`
}

/** Names have no place in an address, and an address says nothing: the two records tell whether they are one person. */
async function decidedIn(
  { decided: decision, one, other }: AskedFor,
  store: FhirStore,
  signal: AbortSignal,
): Promise<Decided | undefined> {
  if (decision === undefined || one === undefined || other === undefined) return undefined
  const found = await store.search<Patient>('Patient', { _id: `${one},${other}` }, { signal })
  const [left, right] = [one, other].map((id) => found.find((patient) => patient.id === id))
  if (left === undefined || right === undefined) return undefined
  const areOne = goldenIdOf({ ...left, id: one }) === goldenIdOf({ ...right, id: other })
  if (areOne !== (decision === 'confirm')) return undefined
  return { decision, names: [personOf(left).name, personOf(right).name] }
}

/**
 * Both records of all pairs in two searches. A golden record says nothing itself: the record that refers to it does, or it
 * is an ordinary Patient.
 */
async function pairsOf(
  reviews: readonly PatientReview[],
  store: FhirStore,
  signal: AbortSignal,
): Promise<ReviewPair[]> {
  if (reviews.length === 0) return []
  const golden = reviews.flatMap(({ goldenId, candidateGoldenId }) => [goldenId, candidateGoldenId])
  const known = [...golden, ...reviews.map(({ candidatePatientId }) => candidatePatientId)]
  const count = { _count: String(golden.length * recordsOfOne) }
  const [linked, named] = await Promise.all([
    store.search<Patient>('Patient', { link: golden.map((id) => `Patient/${id}`).join(','), ...count }, { signal }),
    store.search<Patient>('Patient', { _id: [...new Set(known)].join(','), ...count }, { signal }),
  ])
  return reviews.map((review) => pairOf(review, [...named, ...linked]))
}
