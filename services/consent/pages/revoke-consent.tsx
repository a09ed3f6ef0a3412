import { page, redirect } from '../../../packages/http/answer.ts'
import { formType } from '../../../packages/http/body.ts'
import { html, nothing } from '../../../packages/http/content.ts'
import { object, optional, text } from '../../../packages/http/fields.ts'
import type { IncomingRequest } from '../../../packages/http/request.ts'
import type { Visitor } from '../../../packages/sign-in/session.ts'
import { visiting, writing } from '../../../packages/sign-in/visiting.ts'
import { renderPage } from '../../../packages/views/render.ts'
import { tooLong } from '../../../packages/views/too-long.ts'
import { auditLook } from '../audit/audit-look.ts'
import type { ConsentRecord } from '../record/consent-record.ts'
import { revokeRecord } from '../record/save.ts'
import { RecordId } from '../routes/record-address.ts'
import { changeableRecord } from './changeable-record.ts'
import { typed } from './consent-form.ts'
import { pageRoute, type PageDeps } from './deps.ts'
import { ifNamed, namesIn } from './names-in.ts'
import { patientIfNamed } from './patient-of.ts'
import { isSeenBasis, previewOfRevoking } from './preview.ts'
import { placeOf } from './place-of.ts'
import { reasonCharactersMax, RevokePage, type RevokeModel } from './revoke-page.tsx'

const tags = ['Pages']
const path = '/consents/:id/revoke'

export const revokePage = pageRoute({
  method: 'GET',
  path,
  who: visiting('CLINICIAN', 'ADMIN'),
  tags,
  summary: 'Shows what revoking a consent would change',
  input: { params: RecordId },
  output: { 200: html, 302: nothing },
  run: async ({ params, caller: visitor, request }, deps) => {
    const record = await changeableRecord(params.id, visitor, deps)
    return show(record, { reason: '', isStale: false }, visitor, request, deps)
  },
})

export const revokeConsent = pageRoute({
  method: 'POST',
  path,
  who: writing('CLINICIAN', 'ADMIN'),
  tags,
  summary: 'Revokes a consent',
  accepts: [formType],
  input: {
    params: RecordId,
    body: object({ reason: optional(typed), basis: text({ max: 64 }) }),
  },
  output: { 200: html, 303: nothing, 307: nothing },
  run: async ({ params, body, caller: visitor, request }, deps) => {
    const { reason = '', basis } = body
    const record = await changeableRecord(params.id, visitor, deps)
    const wrong = tooLong(reason, reasonCharactersMax)
    if (wrong !== undefined) return show(record, { reason, wrong, isStale: false }, visitor, request, deps)
    const isSeen = record.status === 'inactive' || (await isSeenBasis(basis, record.patientId, deps))
    const revoked = isSeen
      ? await revokeRecord(record, reason.trim(), { caller: visitor.caller, request }, deps)
      : undefined
    const present = revoked ?? (await changeableRecord(params.id, visitor, deps))
    // Whoever lost the race to another revocation has what they wanted; to another change they have not.
    if (present.status === 'active') return show(present, { reason, isStale: true }, visitor, request, deps)
    return redirect(303, present.patientId === null ? placeOf(present) : `${placeOf(present)}?revoked=${present.id}`)
  },
})

async function show(
  record: ConsentRecord,
  given: Pick<RevokeModel, 'reason' | 'wrong' | 'isStale'>,
  visitor: Visitor,
  request: IncomingRequest,
  deps: PageDeps,
) {
  const { addresses, assetUrl } = deps
  const id = record.patientId?.replace(/^Patient\//, '')
  const [whose, preview] = await Promise.all([
    id === undefined ? undefined : patientIfNamed(id, visitor, request, deps),
    previewOfRevoking(record, deps),
    auditLook({ patientId: record.patientId, recordId: record.id }, { caller: visitor.caller, request }, deps),
  ])
  const actors = preview.days.flatMap(({ changes }) => changes.flatMap((change) => change.actors))
  const named = [record, ...actors.map((actorReference) => ({ actorReference }))]
  // Who wants to take a consent back need not wait for names.
  const { nameOf, areNamesAway } = await ifNamed(() => namesIn(named, visitor, deps))
  const model = {
    ...{ ...given, visitor, addresses, assetUrl, record, preview, nameOf },
    ...{ patient: whose?.patient, areNamesAway: areNamesAway || whose?.areNamesAway === true },
  }
  return page(renderPage(<RevokePage model={model} />))
}
