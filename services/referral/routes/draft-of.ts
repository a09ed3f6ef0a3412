import type { Static } from 'typebox'
import { invalid, type FaultField } from '../../../packages/faults/fault.ts'
import { isDay } from '../../../packages/http/formats.ts'
import type { ReferralDraft } from '../referral.ts'
import { wrongInRequester, type NewReferral } from './fields.ts'

type Body = Static<typeof NewReferral>

/** The draft that a body describes. What a schema cannot say is checked here, all of it in one answer. */
export function draftOf(body: Body, resourceTypes: ReadonlySet<string>): ReferralDraft {
  const failed = wrongInDraft(body, resourceTypes)
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
    sharedResourceTypes: body.sharedResourceTypes ?? [],
    supportingInfo: body.supportingInfo ?? [],
    occurrenceDate: dayIn(body),
  }
}

/** What is wrong beyond the schema with those fields that are there. */
export function wrongInDraft(body: Partial<Body>, resourceTypes: ReadonlySet<string>): FaultField[] {
  const day = dayIn(body)
  const requesters = body.requesterId === undefined ? [] : wrongInRequester(body.requesterId)
  const types = (body.sharedResourceTypes ?? []).flatMap((type, at) =>
    resourceTypes.has(type)
      ? []
      : [{ path: `sharedResourceTypes[${at}]`, message: 'must be a resource type of FHIR R4' }],
  )
  const references = (body.supportingInfo ?? []).flatMap((reference, at) =>
    resourceTypes.has(reference.split('/')[0] ?? '') || /^https?:/.test(reference)
      ? []
      : [{ path: `supportingInfo[${at}]`, message: 'must be a reference to a resource type of FHIR R4' }],
  )
  const isNoDay = day !== null && !isDay(day)
  const days = isNoDay ? [{ path: 'occurrenceDate', message: 'must be a date such as 2026-03-04' }] : []
  return [...requesters, ...types, ...references, ...days]
}

/** A time is cut: what counts is the day that is written, in whichever zone. */
const dayIn = ({ occurrenceDate }: Partial<Body>): string | null => occurrenceDate?.slice(0, 10) ?? null
