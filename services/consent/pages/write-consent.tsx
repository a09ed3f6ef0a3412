import { redirect } from '../../../packages/http/answer.ts'
import { formType } from '../../../packages/http/body.ts'
import { html, nothing } from '../../../packages/http/content.ts'
import { object } from '../../../packages/http/fields.ts'
import { visiting, writing } from '../../../packages/sign-in/visiting.ts'
import { auditLook } from '../audit/audit-look.ts'
import { createRecord } from '../record/save.ts'
import { ConsentForm, emptyForm, readForm, stepFields } from './consent-form.ts'
import { pageRoute } from './deps.ts'
import { showForm, showPreview } from './show-steps.tsx'
import { patientOf, patientParams } from './patient-of.ts'
import { isSeenBasis, previewOfNew } from './preview.ts'

const tags = ['Pages']

export const newPage = pageRoute({
  method: 'GET',
  path: '/patients/:patient/new',
  who: visiting('CLINICIAN', 'ADMIN'),
  tags,
  summary: 'Says a consent in plain words',
  input: { params: patientParams },
  output: { 200: html, 302: nothing },
  run: async ({ params, caller: visitor, request }, deps) => {
    const patient = await patientOf(params.patient, visitor, request, deps)
    const values = { ...emptyForm, actor: visitor.caller.organisation ?? '' }
    return showForm({ patient, values, fields: [] }, visitor, deps)
  },
})

export const recordConsent = pageRoute({
  method: 'POST',
  path: '/patients/:patient/new',
  who: writing('CLINICIAN', 'ADMIN'),
  tags,
  summary: 'Shows what a consent would change, and keeps it',
  accepts: [formType],
  input: {
    params: patientParams,
    body: object({
      ...ConsentForm.properties,
      ...stepFields,
    }),
  },
  output: { 200: html, 303: nothing, 307: nothing },
  run: async ({ params, body, caller: visitor, request }, deps) => {
    const { step, basis, ...values } = body
    const call = { caller: visitor.caller, request }
    const patient = await patientOf(params.patient, visitor, request, deps)
    const patientId = `Patient/${patient.id}`
    const read = readForm(values, patientId, visitor.caller, deps.resourceTypes)
    if (read.is === 'wrong') return showForm({ patient, values, fields: read.fields }, visitor, deps)
    if (step === 'change') return showForm({ patient, values, fields: [] }, visitor, deps)
    const { terms } = read
    if (step === 'keep' && (await isSeenBasis(basis, patientId, deps))) {
      const { id } = await createRecord(terms, call, deps)
      return redirect(303, `/patients/${patient.id}?kept=${id}`)
    }
    const preview = await previewOfNew(terms, patientId, deps)
    // It names the records that stand against it.
    await auditLook({ patientId, recordId: null }, call, deps)
    return showPreview({ patient, values, terms, preview, isStale: step === 'keep' }, visitor, deps)
  },
})
