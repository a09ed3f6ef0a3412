import { list, text } from '../../../packages/http/fields.ts'
import type { Visitor } from '../../../packages/sign-in/session.ts'
import type { Caller } from '../../../packages/tokens/caller.ts'
import { facilityChoices, type FacilityChoice } from '../../../ports/fhir-store/facility-choices.ts'
import type { FhirStore } from '../../../ports/fhir-store/fhir-store.ts'
import type { Facilities } from '../facilities.ts'
import type { Referral, ReferralDraft } from '../referral.ts'
import { wrongInRequester } from '../routes/fields.ts'
import type { PageDeps } from './deps.ts'

/** The facilities of the registry that somebody can be referred to: all but the own one. */
export async function receiverChoices(
  own: string | undefined,
  {
    store,
    facilities,
  }: { readonly store: FhirStore; readonly facilities: Pick<Facilities, 'find' | 'organisationOf'> },
): Promise<readonly FacilityChoice[]> {
  const found = await facilityChoices(store)
  return found
    .filter(({ value }) => value !== own)
    .map(({ value, label }) => ({ value: receiverOf(value, facilities), label }))
}

/** Whoever is a patient and nothing more. */
export const isPatient = ({ caller: { roles } }: Visitor): boolean => !roles.has('CLINICIAN') && !roles.has('ADMIN')

/** Whom a referral of theirs names as who asks for it; nobody where their account is of none who practises. */
export function requesterOf({ fhirUser, subject }: Pick<Caller, 'fhirUser' | 'subject'>): string | undefined {
  const requesterId = fhirUser ?? `Practitioner/${subject}`
  return wrongInRequester(requesterId).length === 0 ? requesterId : undefined
}

/** Where to look for the names of facilities and clinicians. */
export const directoryFor = (
  visitor: Visitor,
  { registry, storeOf }: Pick<PageDeps, 'registry' | 'storeOf'>,
): FhirStore => (isPatient(visitor) ? registry : undefined) ?? storeOf(visitor)

export const patientField = text({ pattern: /^Patient\/[A-Za-z0-9.-]{1,64}$/, says: 'must be a patient' })
export const sharedTypes = list(text({ max: 64 }), { max: 20 })

/** Who asks: the facility, or the clinician where a program without one has written for them. */
export const askerOf = ({ sendingOrganisation, requesterId }: Pick<Referral, 'sendingOrganisation' | 'requesterId'>) =>
  sendingOrganisation ?? requesterId

/** Client id and organisation, as one value of a form; empty while nothing is chosen yet. */
export const chosenReceiver = text({
  pattern: /^(?:[A-Za-z0-9._~:@-]{1,128}(?: Organization\/[A-Za-z0-9.-]{1,64})?)?$/,
  says: 'must be a facility of the list',
})

const receiverOf = (organisation: string, facilities: Pick<Facilities, 'find'>): string => {
  const id = organisation.replace(/^Organization\//, '')
  return `${facilities.find({ clientId: id, organisation })?.clientId ?? id} ${organisation}`
}

/** A receiver as a form gives it. */
export const receiverValue = ({
  receivingFacilityClientId,
  performerId,
}: Pick<ReferralDraft, 'receivingFacilityClientId' | 'performerId'>): string =>
  performerId === null ? receivingFacilityClientId : `${receivingFacilityClientId} ${performerId}`

export function readReceiver(value: string): { receivingFacilityClientId: string; performerId: string | null } {
  const [receivingFacilityClientId = '', performerId = null] = value.split(' ')
  return { receivingFacilityClientId, performerId }
}
