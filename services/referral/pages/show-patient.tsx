import { missing } from '../../../packages/faults/fault.ts'
import { html, nothing } from '../../../packages/http/content.ts'
import { fhirId } from '../../../packages/http/fields.ts'
import { pageQuery, pagesOf, readPage } from '../../../packages/http/page-envelope.ts'
import { visiting } from '../../../packages/sign-in/visiting.ts'
import { patientsByReference } from '../../../ports/fhir-store/find-people.ts'
import { unlessAway } from '../../../ports/fhir-store/unless-away.ts'
import { survivorOf } from '../../../ports/patient-index/merges/merge-table.ts'
import { actorOf } from '../actions/call.ts'
import { recordListLook } from '../actions/record.ts'
import { mergeTables } from '../store/merged-patients.ts'
import { countReferralsOf, referralsOf } from '../store/referral-lists.ts'
import { pageRoute } from './deps.ts'
import { rowsOf, show, toLastPage } from './show-list.tsx'

export const patientPage = pageRoute({
  method: 'GET',
  path: '/patients/:patient',
  who: visiting('CLINICIAN', 'ADMIN'),
  tags: ['Pages'],
  summary: 'All referrals of a patient, whoever made them and however they ended',
  input: { params: { patient: fhirId() }, query: pageQuery() },
  output: { 200: html, 302: nothing },
  run: async ({ params, query, caller: visitor, request }, deps) => {
    const wanted = readPage(query)
    const patientId = await survivorOf(`Patient/${params.patient}`, mergeTables, deps.database)
    const look = { store: deps.storeOf(visitor), now: deps.clock.now(), signal: request.signal }
    const [patients, referrals, total] = await Promise.all([
      unlessAway(() => patientsByReference([patientId], look)),
      referralsOf(patientId, wanted.offset, wanted.size, deps.database),
      countReferralsOf(patientId, deps.database),
      recordListLook({ list: 'patient', patientId, actor: actorOf({ caller: visitor.caller, request }) }, deps),
    ])
    const patient = patients?.get(patientId)
    // While the store is away nobody knows whom there is.
    if (patients !== undefined && patient === undefined && total === 0) throw missing('There is no such patient.')
    const pages = pagesOf(wanted, total)
    const id = patientId.replace(/^Patient\//, '')
    const rows = await rowsOf(referrals, visitor, deps)
    const areNamesAway = patients === undefined || rows.areNamesAway
    const whose = { patient: patient ?? { id, name: patientId }, areNamesAway }
    const list = { ...({ here: 'patient', page: pages } as const), ...rows, ...whose }
    return toLastPage(`/patients/${id}`, pages) ?? show(list, visitor, deps)
  },
})
