import { page, redirect } from '../../../packages/http/answer.ts'
import { html, nothing } from '../../../packages/http/content.ts'
import { integer, optional } from '../../../packages/http/fields.ts'
import { visiting } from '../../../packages/sign-in/visiting.ts'
import type { Caller } from '../../../packages/tokens/caller.ts'
import { renderPage } from '../../../packages/views/render.ts'
import { auditLook } from '../audit/audit-look.ts'
import type { ConsentRecord } from '../record/consent-record.ts'
import { noSuchRecord, RecordId } from '../routes/record-address.ts'
import { findRecord, recordsOfPatient } from '../store/records.ts'
import { dayIn } from '../../../packages/clock/day-in.ts'
import { pageRoute } from './deps.ts'
import { ifNamed, namesIn } from './names-in.ts'
import { patientIfNamed, patientParams } from './patient-of.ts'
import { PatientPage, type PatientModel } from './patient-page.tsx'
import { placeOf } from './place-of.ts'

const recordNumber = optional(integer({ min: 1, max: Number.MAX_SAFE_INTEGER }))

export const patientPage = pageRoute({
  method: 'GET',
  path: '/patients/:patient',
  who: visiting('CLINICIAN', 'ADMIN'),
  tags: ['Pages'],
  summary: 'The consents of a patient on a timeline',
  input: { params: patientParams, query: { kept: recordNumber, changed: recordNumber, revoked: recordNumber } },
  output: { 200: html, 302: nothing },
  run: async ({ params, query, caller: visitor, request }, deps) => {
    const { addresses, assetUrl, database, settings, clock } = deps
    const [shown, records] = await Promise.all([
      patientIfNamed(params.patient, visitor, request, deps),
      recordsOfPatient(`Patient/${params.patient}`, undefined, database),
      auditLook({ patientId: `Patient/${params.patient}`, recordId: null }, { caller: visitor.caller, request }, deps),
    ])
    const names = await ifNamed(() => namesIn(records, visitor, deps))
    const model: PatientModel = {
      ...{ visitor, addresses, assetUrl, records },
      ...{ patient: shown.patient, nameOf: names.nameOf, areNamesAway: shown.areNamesAway || names.areNamesAway },
      today: dayIn(settings.timeZone, clock.now()),
      dayOf: (instant) => dayIn(settings.timeZone, instant),
      mayChange: (record) => isOwned(record, visitor.caller),
      ...(query.kept === undefined ? {} : { done: { what: 'kept', id: query.kept } }),
      ...(query.changed === undefined ? {} : { done: { what: 'changed', id: query.changed } }),
      ...(query.revoked === undefined ? {} : { done: { what: 'revoked', id: query.revoked } }),
    }
    return page(renderPage(<PatientPage model={model} />))
  },
})

export const consentLink = pageRoute({
  method: 'GET',
  path: '/consents/:id',
  who: visiting('CLINICIAN', 'ADMIN'),
  tags: ['Pages'],
  summary: 'Leads to where a consent is shown',
  input: { params: RecordId },
  output: { 302: nothing },
  run: async ({ params, caller: visitor }, { database }) => {
    const record = await findRecord(params.id, visitor.caller, database)
    if (record === undefined) throw noSuchRecord()
    return redirect(302, `${placeOf(record)}#consent-${record.id}`)
  },
})

/** Decides which buttons are shown; whether a step is allowed is decided by its query. */
function isOwned({ createdBy, organisationId }: ConsentRecord, { roles, subject, organisation }: Caller): boolean {
  return roles.has('ADMIN') || createdBy === subject || (organisation !== undefined && organisationId === organisation)
}
