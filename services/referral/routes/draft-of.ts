import type { Static } from 'typebox'
import { invalid, type FaultField } from '../../../packages/faults/fault.ts'
import { isDay } from '../../../packages/http/formats.ts'
import type { ReferralDraft } from '../referral.ts'
import type { NewReferral } from './fields.ts'

/** The draft that a body describes. What a schema cannot say is checked here, all of it in one answer. */
export function draftOf(body: Static<typeof NewReferral>, resourceTypes: ReadonlySet<string>): ReferralDraft {
  const sharedResourceTypes = body.sharedResourceTypes ?? []
  // A time is cut: what counts is the day that is written, in whichever zone.
  const occurrenceDate = body.occurrenceDate?.slice(0, 10) ?? null
  const failed: FaultField[] = sharedResourceTypes.flatMap((type, at) =>
    resourceTypes.has(type)
      ? []
      : [{ path: `sharedResourceTypes[${at}]`, message: 'must be a resource type of FHIR R4' }],
  )
  for (const [at, reference] of (body.supportingInfo ?? []).entries()) {
    const [type = ''] = reference.split('/')
    if (resourceTypes.has(type) || /^https?:/.test(reference)) continue
    failed.push({ path: `supportingInfo[${at}]`, message: 'must be a reference to a resource type of FHIR R4' })
  }
  if (occurrenceDate !== null && !isDay(occurrenceDate)) {
    failed.push({ path: 'occurrenceDate', message: 'must be a date such as 2026-03-04' })
  }
  if (failed.length > 0) throw invalid(...failed)
  return {
    patientId: body.patientId,
    requesterId: body.requesterId,
    receivingFacilityClientId: body.receivingFacilityClientId,
    performerId: body.performerId ?? null,
    referralCode: body.referralCode ?? null,
    referralDisplay: body.referralDisplay ?? null,
    priority: body.priority ?? 'ROUTINE',
    reasonCodes: body.reasonCodes ?? [],
    clinicalNote: body.clinicalNote ?? null,
    sharedResourceTypes,
    supportingInfo: body.supportingInfo ?? [],
    occurrenceDate,
  }
}
