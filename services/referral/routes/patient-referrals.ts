import { forbidden } from '../../../packages/faults/fault.ts'
import { list } from '../../../packages/http/fields.ts'
import { pageQuery } from '../../../packages/http/page-envelope.ts'
import type { IncomingRequest } from '../../../packages/http/request.ts'
import type { Caller } from '../../../packages/tokens/caller.ts'
import { isSamePerson } from '../../../ports/patient-index/merges/merge-table.ts'
import type { ReferralDeps } from '../deps.ts'
import { mergeTables } from '../store/merged-patients.ts'
import { referralsOf } from '../store/referral-lists.ts'
import { cliniciansAndPatients, patientReference, reachOf } from './callers.ts'
import { patientInAddress } from './fields.ts'
import { partLimits, partOfList, type PartQuery } from './part-of-list.ts'
import { referralRoute } from './referral-route.ts'
import { ReferralView } from './views.ts'

const patientList = {
  method: 'GET',
  who: cliniciansAndPatients,
  input: { params: { patientId: patientInAddress }, query: pageQuery(partLimits) },
  output: { 200: list(ReferralView) },
} as const

export const ofPatient = referralRoute({
  ...patientList,
  path: '/api/referrals/patient/:patientId',
  summary: 'The referrals of a patient, newest first; a patient sees only their own',
  run: ({ params, query, caller, request }, deps) => listOfPatient(params.patientId, query, { caller, request }, deps),
})

/** The reference itself as the last part of the address, unescaped. */
export const ofPatientReference = referralRoute({
  ...patientList,
  path: '/api/referrals/patient/Patient/:patientId',
  summary: 'The same, with the reference written out',
  run: ({ params, query, caller, request }, deps) => listOfPatient(params.patientId, query, { caller, request }, deps),
})

async function listOfPatient(
  given: string,
  query: PartQuery,
  call: { readonly caller: Caller; readonly request: IncomingRequest },
  deps: ReferralDeps,
) {
  const patientId = patientReference(given)
  if (!(await maySee(patientId, call.caller, deps))) throw forbidden('You may see only your own referrals.')
  const find = (offset: number, limit: number) => referralsOf(patientId, offset, limit, deps.database)
  return partOfList(query, { list: 'patient', patientId, find }, call, deps)
}

async function maySee(
  patientId: string,
  caller: Caller,
  { database }: Pick<ReferralDeps, 'database'>,
): Promise<boolean> {
  const reach = reachOf(caller)
  if (reach.of !== 'oneself') return reach.of === 'everybody'
  return isSamePerson(reach.patientId, patientId, mergeTables, database)
}
