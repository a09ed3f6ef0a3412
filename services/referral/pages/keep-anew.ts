import { redirect } from '../../../packages/http/answer.ts'
import type { IncomingRequest } from '../../../packages/http/request.ts'
import type { Visitor } from '../../../packages/sign-in/session.ts'
import { changeDraft } from '../actions/change-draft.ts'
import { existingReferral } from '../actions/reach-referral.ts'
import { availableActions } from '../available-actions.ts'
import type { ReferralDraft } from '../referral.ts'
import type { PageDeps } from './deps.ts'
import { formOf, type DraftFormValues } from './draft-form.ts'
import { showDraft } from './show-draft.tsx'
import { endOf, notTaken } from './show-referral.tsx'

interface Anew {
  readonly id: number
  /** Which version of it was on the page. */
  readonly version: number
  readonly values: DraftFormValues
  readonly draft: ReferralDraft
}

/** Writes a draft anew. Whoever was too late has what they wrote, beside what they would write over. */
export async function keepAnew(
  { id, version, values, draft }: Anew,
  visitor: Visitor,
  request: IncomingRequest,
  deps: PageDeps,
) {
  const call = { caller: visitor.caller, request }
  const end = await endOf(() => changeDraft(id, draft, call, deps, [version]))
  if (end === 'taken') return redirect(303, `/referrals/${id}?done=change`)
  const now = await existingReferral(id, deps.database)
  const said = formOf(now)
  if (!availableActions(now, visitor.caller, deps).includes('change')) {
    return notTaken({ is: 'late', wrote: newIn(values, said) }, { id: String(id) }, visitor, request, deps)
  }
  const changed = { id, version: String(now.version), now: said }
  return showDraft({ values, fields: [], changed }, visitor, request, deps)
}

/** What was typed and stands nowhere. */
const newIn = (typed: DraftFormValues, now: DraftFormValues): string =>
  (['referralDisplay', 'reasonCodes', 'clinicalNote'] as const)
    .filter((name) => typed[name].trim() !== now[name].trim())
    .map((name) => typed[name])
    .join('\n')
