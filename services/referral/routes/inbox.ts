import { invalid } from '../../../packages/faults/fault.ts'
import { list, oneOf, optional } from '../../../packages/http/fields.ts'
import { pageQuery } from '../../../packages/http/page-envelope.ts'
import { inboxOf, inboxStatuses, type InboxOwner } from '../store/referral-lists.ts'
import { clinicians } from './callers.ts'
import { anyClientId, organisationReference } from './fields.ts'
import { partLimits, partOfList } from './part-of-list.ts'
import { referralRoute } from './referral-route.ts'
import { ReferralView } from './views.ts'

export const inbox = referralRoute({
  method: 'GET',
  path: '/api/referrals/inbox',
  who: clinicians,
  summary: 'The active referrals of a performer, the most urgent first, then the oldest',
  description:
    'A referral that names no performer is found by receivingFacilityClientId. What is on hold is found by its status. ' +
    'At most 1000 at once; a Link header leads to the rest.',
  input: {
    query: {
      performerId: optional(organisationReference),
      receivingFacilityClientId: optional(anyClientId),
      status: optional(oneOf(inboxStatuses, { description: 'ACTIVE unless said.' })),
      ...pageQuery(partLimits),
    },
  },
  output: { 200: list(ReferralView) },
  run: ({ query, caller, request }, deps) => {
    const { owner, name } = inboxOwner(query)
    const statuses = [query.status ?? 'ACTIVE']
    const find = (offset: number, limit: number) => inboxOf(owner, statuses, offset, limit, deps.database)
    return partOfList(query, { list: `inbox ${name}`, find }, { caller, request }, deps)
  },
})

function inboxOwner(query: { readonly performerId?: string; readonly receivingFacilityClientId?: string }): {
  readonly owner: InboxOwner
  readonly name: string
} {
  const { performerId, receivingFacilityClientId } = query
  if (performerId !== undefined) return { owner: { performerId }, name: performerId }
  if (receivingFacilityClientId !== undefined) {
    return { owner: { receivingFacilityClientId }, name: receivingFacilityClientId }
  }
  throw invalid({ path: 'performerId', message: 'is required' })
}
