import { flag, integer, list, object, oneOf, orNull, text } from '../../../packages/http/fields.ts'
import { previewGate } from '../actions/preview-gate.ts'
import { checkParty, existingReferral } from '../actions/reach-referral.ts'
import { ownersOf } from '../party-rules.ts'
import { wrongReferralStatus } from '../refusals.ts'
import { nextReferralStatus } from '../transitions.ts'
import { clinicians } from './callers.ts'
import { referralIdOf, referralParams } from './fields.ts'
import { referralRoute } from './referral-route.ts'

export const gatePreview = referralRoute({
  method: 'GET',
  path: '/api/referrals/:id/gate',
  who: clinicians,
  summary: 'What the consent gate would say if the draft were sent now',
  input: { params: referralParams },
  output: {
    200: object({
      referralId: integer(),
      passes: flag(),
      checks: list(
        object({
          resourceType: text(),
          outcome: oneOf(['PERMITTED', 'REFUSED', 'UNVERIFIED']),
          reason: orNull(text()),
          consentRecordId: orNull(integer()),
          decisionId: orNull(text()),
        }),
      ),
      documents: list(
        object({ reference: text(), outcome: oneOf(['PERMITTED', 'NOT_FOUND', 'REFUSED', 'UNVERIFIED']) }),
        { description: 'Whether the documents that this platform keeps are of the patient.' },
      ),
    }),
  },
  run: async ({ params, caller, request }, deps) => {
    const referral = await existingReferral(referralIdOf(params), deps.database)
    // Whoever may not send it has no business with the patient's consents.
    await checkParty({ action: 'gate', referral, owners: ownersOf.send }, { caller, request }, deps)
    if (nextReferralStatus(referral.status, 'send') === undefined) throw wrongReferralStatus('send', referral.status)
    return { referralId: referral.id, ...(await previewGate(referral, { caller, request }, deps)) }
  },
})
