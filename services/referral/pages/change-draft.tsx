import { redirect } from '../../../packages/http/answer.ts'
import { formType } from '../../../packages/http/body.ts'
import { html, nothing } from '../../../packages/http/content.ts'
import { visiting, writing } from '../../../packages/sign-in/visiting.ts'
import { availableActions } from '../available-actions.ts'
import { referralParams } from '../routes/fields.ts'
import { seenReferral } from '../routes/visible-referral.ts'
import { pageRoute } from './deps.ts'
import { ChangeForm, formOf, readChange } from './draft-form.ts'
import { keepAnew } from './keep-anew.ts'
import { showDraft } from './show-draft.tsx'

const tags = ['Pages']
const path = '/referrals/:id/change'

export const changePage = pageRoute({
  method: 'GET',
  path,
  who: visiting('CLINICIAN', 'ADMIN'),
  tags,
  summary: 'Writes a draft anew',
  input: { params: referralParams },
  output: { 200: html, 302: nothing, 303: nothing },
  run: async ({ params, caller: visitor, request }, deps) => {
    const { caller } = visitor
    const referral = await seenReferral(params, { caller, request }, deps)
    const { id, version } = referral
    if (!availableActions(referral, caller, deps).includes('change')) return redirect(303, `/referrals/${id}`)
    const said = { values: formOf(referral), fields: [], changed: { id, version: String(version) } }
    return showDraft(said, visitor, request, deps)
  },
})

export const keepChange = pageRoute({
  method: 'POST',
  path,
  who: writing('CLINICIAN', 'ADMIN'),
  tags,
  summary: 'Keeps a draft as it is written anew, or says what is wrong with it',
  accepts: [formType],
  input: { params: referralParams, body: ChangeForm },
  output: { 200: html, 303: nothing, 307: nothing },
  run: async ({ params, body, caller: visitor, request }, deps) => {
    const { version, ...values } = body
    const call = { caller: visitor.caller, request }
    const before = await seenReferral(params, call, deps)
    const { id } = before
    const read = readChange(values, before, { resourceTypes: deps.resourceTypes, now: deps.clock.now() })
    if (read.is === 'wrong') {
      return showDraft({ values, fields: read.fields, changed: { id, version } }, visitor, request, deps)
    }
    return keepAnew({ id, version: Number(version), values, draft: read.draft }, visitor, request, deps)
  },
})
