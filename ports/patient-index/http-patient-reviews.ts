import { conflict, forbidden, missing, unavailable } from '../../packages/faults/fault.ts'
import type { Outbound } from '../../packages/http/outbound/outbound.ts'
import type { OutboundResponse } from '../../packages/http/outbound/outbound-response.ts'
import type { CallOptions } from '../call-options.ts'
import type { PatientReview, PatientReviews } from './patient-reviews.ts'

export interface HttpPatientReviewsOptions {
  /** The address of the FHIR service, without `/fhir`. */
  readonly serviceUrl: string
  readonly outbound: Pick<Outbound, 'send'>
  /** Of the administrator who decides: merging people is done in their name. */
  readonly accessToken: string
}

/** The reviews of Corridor's own index in another process. */
export function httpPatientReviews({ serviceUrl, outbound, accessToken }: HttpPatientReviewsOptions): PatientReviews {
  const send = (method: 'GET' | 'POST', path: string, { signal }: CallOptions = {}) =>
    outbound.send({
      ...{ method, url: `${serviceUrl}/api/patient-index/reviews${path}` },
      headers: { accept: 'application/json', authorization: `Bearer ${accessToken}` },
      ...(signal === undefined ? {} : { signal }),
    })
  return {
    async open({ number, size }, call) {
      const answer = await send('GET', `?page=${number}&size=${size}`, call)
      if (answer.status !== 200) throw faultOf(answer)
      // Sound: the answer of our own service, whose schema says so.
      const page = answer.json() as { content: PatientReview[]; totalElements: number }
      return { reviews: page.content, total: page.totalElements }
    },
    async decide(id, decision, call) {
      const answer = await send('POST', `/${encodeURIComponent(id)}/${decision}`, call)
      if (answer.status !== 200) throw faultOf(answer)
    },
  }
}

function faultOf({ status }: OutboundResponse) {
  if (status === 403) return forbidden('Reviews are for administrators.')
  if (status === 404) return missing('There is no such review.')
  if (status === 409) return conflict('This review was decided before.', { code: 'REVIEW_DECIDED' })
  return unavailable('The patient index gave no answer that can be used.', { logged: `status ${status}` })
}
