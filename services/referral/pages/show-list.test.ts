import { expect, it } from 'vitest'
import type { Visitor } from '../../../packages/sign-in/session.ts'
import { createReferral } from '../actions/create-referral.ts'
import { facilityDirectory } from '../facilities.ts'
import { callBy, plainDraft, referralWorld } from '../testing/referral-deps.ts'
import type { PageDeps } from './deps.ts'
import { rowsOf } from './show-list.tsx'

it('a facility that is named by its client id alone is told by the name of the organisation whose client it is', async () => {
  await using world = await referralWorld()
  const [clientId, organisation] = ['lakeside-app', 'Organization/lakeside-clinic']
  const facilities = facilityDirectory([
    { clientId, organisation, webhook: undefined, phone: undefined, email: undefined },
  ])
  const known = { resourceType: 'Organization', id: 'lakeside-clinic', name: 'Lakeside Clinic' }
  const store = { search: async (type: string) => (type === 'Organization' ? [known] : []) }
  // Sound: of all that pages work with, a list needs no more.
  const deps = { ...world.deps, facilities, storeOf: () => store } as unknown as PageDeps
  const amara = callBy('dr-amara', 'Organization/central-hospital')
  const referrals = [clientId, 'hill-clinic'].map((receiver) => ({
    ...plainDraft,
    receivingFacilityClientId: receiver,
  }))
  const made = await Promise.all(referrals.map((draft) => createReferral(draft, amara, deps)))
  const visitor: Visitor = { caller: amara.caller, name: 'Dr Amara', accessToken: 't' }
  const { rows } = await rowsOf(made, visitor, deps)
  expect(rows.map(({ to }) => to)).toEqual(['Lakeside Clinic', 'Organization/hill-clinic'])
})
