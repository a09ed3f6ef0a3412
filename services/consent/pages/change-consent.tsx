import { Type } from 'typebox'
import { redirect } from '../../../packages/http/answer.ts'
import { formType } from '../../../packages/http/body.ts'
import { html, nothing } from '../../../packages/http/content.ts'
import { object } from '../../../packages/http/fields.ts'
import type { IncomingRequest } from '../../../packages/http/request.ts'
import type { Visitor } from '../../../packages/sign-in/session.ts'
import { visiting, writing } from '../../../packages/sign-in/visiting.ts'
import { auditLook } from '../audit/audit-look.ts'
import type { ConsentRecord } from '../record/consent-record.ts'
import { changeRecord } from '../record/save.ts'
import { changedMeanwhile } from '../routes/if-match.ts'
import { RecordId } from '../routes/record-address.ts'
import { changeableRecord } from './changeable-record.ts'
import { formOf, isSayable, readChange } from './changed-form.ts'
import { ConsentForm, stepFields, type ConsentFormValues } from './consent-form.ts'
import { pageRoute, type PageDeps } from './deps.ts'
import { namesIn } from './names-in.ts'
import { patientOf } from './patient-of.ts'
import { placeOf } from './place-of.ts'
import { isSeenBasis, previewOfChange } from './preview.ts'
import { showForm, showPreview } from './show-steps.tsx'

const tags = ['Pages']
const path = '/consents/:id/change'

export const changePage = pageRoute({
  method: 'GET',
  path,
  who: visiting('CLINICIAN', 'ADMIN'),
  tags,
  summary: 'Says a consent anew, in plain words',
  input: { params: RecordId },
  output: { 200: html, 302: nothing, 303: nothing },
  run: async ({ params, caller: visitor, request }, deps) => {
    const record = await changeableRecord(params.id, visitor, deps)
    if (record.status === 'inactive') return redirect(303, placeOf(record))
    return show(record, { values: formOf(record), fields: [] }, { visitor, request, deps })
  },
})

export const changeConsent = pageRoute({
  method: 'POST',
  path,
  who: writing('CLINICIAN', 'ADMIN'),
  tags,
  summary: 'Shows what a change of a consent would change, and makes it',
  accepts: [formType],
  input: {
    params: RecordId,
    // What a record says is given only where the form has words for it; its period and its grounds always.
    body: object({
      ...Type.Partial(ConsentForm).properties,
      ...stepFields,
    }),
  },
  output: { 200: html, 303: nothing, 307: nothing },
  run: async ({ params, body, caller: visitor, request }, deps) => {
    const record = await changeableRecord(params.id, visitor, deps)
    if (record.status === 'inactive') return redirect(303, placeOf(record))
    const { step, basis, ...given } = body
    const values = { ...formOf(record), ...(isSayable(record) ? { types: [] } : {}), ...given }
    const read = readChange(record, values, deps.resourceTypes)
    const at = { visitor, request, deps }
    if (read.is === 'wrong') return show(record, { values, fields: read.fields }, at)
    if (step === 'change') return show(record, { values, fields: [] }, at)
    const { terms } = read
    // The basis holds the version of this record, too: whoever changed it meanwhile is not written over.
    if (step === 'keep' && (await isSeenBasis(basis, record.patientId, deps))) {
      const changed = await changeRecord(record, terms, { caller: visitor.caller, request }, deps)
      if (changed === undefined) throw changedMeanwhile()
      return redirect(303, record.patientId === null ? placeOf(record) : `${placeOf(record)}?changed=${record.id}`)
    }
    const preview = await previewOfChange(record, terms, deps)
    const [patient] = await Promise.all([patientIn(record, at), auditShown(record, at)])
    const shown = { patient, changed: { record }, values, terms, preview, isStale: step === 'keep' }
    return showPreview(shown, visitor, deps)
  },
})

interface At {
  readonly visitor: Visitor
  readonly request: IncomingRequest
  readonly deps: PageDeps
}

async function show(
  record: ConsentRecord,
  form: { readonly values: ConsentFormValues; readonly fields: Parameters<typeof showForm>[0]['fields'] },
  at: At,
) {
  const { visitor, deps } = at
  const [patient, nameOf] = await Promise.all([
    patientIn(record, at),
    namesIn([record], visitor, deps),
    auditShown(record, at),
  ])
  const changed = { record, nameOf, isSayable: isSayable(record) }
  return showForm({ patient, changed, ...form }, visitor, deps)
}

const patientIn = async ({ patientId }: ConsentRecord, { visitor, request, deps }: At) =>
  patientId === null ? undefined : patientOf(patientId.replace(/^Patient\//, ''), visitor, request, deps)

const auditShown = ({ id, patientId }: ConsentRecord, { visitor: { caller }, request, deps }: At) =>
  auditLook({ patientId, recordId: id }, { caller, request }, deps)
