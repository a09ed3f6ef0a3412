import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ReferralDraft } from '../referral.ts'
import { findReferral } from '../store/referrals.ts'
import { callBy, plainDraft, referralWorld, type ReferralWorld } from '../testing/referral-deps.ts'
import { changeDraft } from './change-draft.ts'
import { createReferral } from './create-referral.ts'
import { sendReferral } from './send-referral.ts'

let world: ReferralWorld
beforeAll(async () => {
  world = await referralWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const amara = callBy('dr-amara', 'Organization/central-hospital')
const meanwhile = { code: 'INVALID_TRANSITION', message: expect.stringContaining('was changed meanwhile') }

it('a draft that changes while the gate is asked is not sent: the answer was about another one', async () => {
  const { id } = await createReferral(draft, amara, world.deps)
  const evaluate = async () => {
    await changeDraft(id, { ...draft, sharedResourceTypes: ['Observation', 'Condition'] }, amara, world.deps)
    const checks = { reason: 'five checks', consentRecordId: null, decisionId: null }
    return { is: 'answered', permitted: true, outcome: 'PERMIT', ...checks } as const
  }
  await expect(sendReferral(id, amara, { ...world.deps, consent: { evaluate } })).rejects.toMatchObject(meanwhile)
  expect(await findReferral(id, undefined, world.deps.database)).toMatchObject({
    ...{ status: 'DRAFT', consentVerified: false, sharedResourceTypes: ['Observation', 'Condition'] },
  })
})

it('who saw another version of a draft writes over nothing', async () => {
  const { id, version } = await createReferral(draft, amara, world.deps)
  const changed = await changeDraft(id, { ...draft, clinicalNote: 'one' }, amara, world.deps, [version])
  const late = changeDraft(id, { ...draft, clinicalNote: 'two' }, amara, world.deps, [version])
  await expect(late).rejects.toMatchObject(meanwhile)
  expect(await findReferral(id, undefined, world.deps.database)).toEqual(changed)
})

it('who saw another version of a draft sends nothing', async () => {
  const nothingShared = { ...draft, sharedResourceTypes: [] }
  const { id, version } = await createReferral(nothingShared, amara, world.deps)
  const changed = await changeDraft(id, { ...nothingShared, clinicalNote: 'one' }, amara, world.deps)
  await expect(sendReferral(id, amara, world.deps, [version])).rejects.toMatchObject(meanwhile)
  expect(await findReferral(id, undefined, world.deps.database)).toEqual(changed)
  expect(await sendReferral(id, amara, world.deps, [changed.version])).toMatchObject({ status: 'ACTIVE' })
})

const draft: ReferralDraft = { ...plainDraft, sharedResourceTypes: ['Observation'] }
