import { reply } from '../../../packages/http/answer.ts'
import { list, optional, text } from '../../../packages/http/fields.ts'
import { pageQuery, readPage, type PageRequest } from '../../../packages/http/page-envelope.ts'
import { forbidden, incorrect } from '../../../packages/faults/fault.ts'
import type { Caller } from '../../../packages/tokens/caller.ts'
import type { ReferralDeps } from '../deps.ts'
import type { CountedReferral } from '../referral.ts'
import { inboxOf, referralsOf, type InboxOwner } from '../store/referrals.ts'
import { clinicians, cliniciansAndPatients, onlyPatientOf } from './callers.ts'
import { clientIdField, organisationReference } from './fields.ts'
import { referralRoute } from './referral-route.ts'
import { ReferralView, referralView } from './views.ts'

/** These answers are arrays by contract. They are bounded all the same: what is left is behind a Link to the next part. */
const partLimits = { defaultSize: 1_000, maxSize: 1_000 }

export const inbox = referralRoute({
  method: 'GET',
  path: '/api/referrals/inbox',
  who: clinicians,
  summary: 'The active referrals of a performer, the most urgent first, then the oldest',
  description:
    'A referral that names no performer is found by receivingFacilityClientId. At most 1000 at once; a Link header leads to the rest.',
  input: {
    query: {
      performerId: optional(organisationReference),
      receivingFacilityClientId: optional(clientIdField),
      ...pageQuery(partLimits),
    },
  },
  output: { 200: list(ReferralView) },
  run: ({ query, caller, request }, deps) => {
    const owner = inboxOwner(query)
    return part(query, request.url, caller, deps, (offset, limit) => inboxOf(owner, offset, limit, deps.database))
  },
})

const patientList = {
  method: 'GET',
  who: cliniciansAndPatients,
  input: { params: { patientId: text({ max: 128 }) }, query: pageQuery(partLimits) },
  output: { 200: list(ReferralView) },
} as const

export const ofPatient = referralRoute({
  ...patientList,
  path: '/api/referrals/patient/:patientId',
  summary: 'The referrals of a patient, newest first; a patient sees only their own',
  run: ({ params, query, caller, request }, deps) => listOfPatient(params.patientId, query, request.url, caller, deps),
})

/** The reference itself as the last part of the address, unescaped. */
export const ofPatientReference = referralRoute({
  ...patientList,
  path: '/api/referrals/patient/Patient/:patientId',
  summary: 'The same, with the reference written out',
  run: ({ params, query, caller, request }, deps) => listOfPatient(params.patientId, query, request.url, caller, deps),
})

function listOfPatient(given: string, query: PartQuery, url: string, caller: Caller, deps: ReferralDeps) {
  const patientId = given.startsWith('Patient/') ? given : `Patient/${given}`
  const only = onlyPatientOf(caller)
  if (only !== undefined && only !== patientId) throw forbidden('You may see only your own referrals.')
  return part(query, url, caller, deps, (offset, limit) => referralsOf(patientId, offset, limit, deps.database))
}

function inboxOwner(query: { readonly performerId?: string; readonly receivingFacilityClientId?: string }): InboxOwner {
  const { performerId, receivingFacilityClientId } = query
  if (performerId !== undefined) return { performerId }
  if (receivingFacilityClientId !== undefined) return { receivingFacilityClientId }
  throw incorrect('The request is not valid.', { fields: [{ path: 'performerId', message: 'is required' }] })
}

interface PartQuery {
  readonly page?: string
  readonly size?: string
}

async function part(
  query: PartQuery,
  url: string,
  caller: Caller,
  deps: ReferralDeps,
  find: (offset: number, limit: number) => Promise<readonly CountedReferral[]>,
) {
  const page = readPage(query, partLimits)
  const found = await find(page.offset, page.size + 1)
  const views = found.slice(0, page.size).map((referral) => referralView(referral, caller, deps))
  return reply(200, views, found.length > page.size ? { link: linkToNext(url, page) } : {})
}

function linkToNext(url: string, { number, size }: PageRequest): string {
  const next = new URL(url, 'http://here')
  next.searchParams.set('page', String(number + 1))
  next.searchParams.set('size', String(size))
  return `<${next.pathname}${next.search}>; rel="next"`
}
