import type { Organization } from '../../../packages/fhir/r4.ts'
import { list, text } from '../../../packages/http/fields.ts'
import type { Visitor } from '../../../packages/sign-in/session.ts'
import type { FhirStore } from '../../../ports/fhir-store/fhir-store.ts'
import type { Facilities } from '../facilities.ts'
import type { PageDeps } from './deps.ts'

export interface FacilityChoice {
  readonly value: string
  readonly label: string
}

/** The facilities of the registry that somebody can be referred to: all but the own one. */
export async function facilityChoices(
  own: string | undefined,
  { store, facilities }: { readonly store: FhirStore; readonly facilities: Pick<Facilities, 'find'> },
): Promise<readonly FacilityChoice[]> {
  const search = { identifier: 'urn:corridor:facility-code|', active: 'true', _sort: 'name', _count: '200' }
  const found = await store.search<Organization>('Organization', search)
  return found
    .filter(({ id }) => id !== undefined && `Organization/${id}` !== own)
    .map(({ id = '', name = id }) => ({ value: receiverOf(id, facilities), label: name }))
}

/** Whoever is a patient and nothing more. */
export const isPatient = ({ caller: { roles } }: Visitor): boolean => !roles.has('CLINICIAN') && !roles.has('ADMIN')

/** Where to look for the names of facilities and clinicians. */
export const directoryFor = (
  visitor: Visitor,
  { registry, storeOf }: Pick<PageDeps, 'registry' | 'storeOf'>,
): FhirStore => (isPatient(visitor) ? registry : undefined) ?? storeOf(visitor)

export const patientField = text({ pattern: /^Patient\/[A-Za-z0-9.-]{1,64}$/, says: 'must be a patient' })
export const sharedTypes = list(text({ max: 64 }), { max: 20 })

/** Client id and organisation, as one value of a form. */
export const receiverField = text({
  pattern: /^[A-Za-z0-9._~:@-]{1,128}(?: Organization\/[A-Za-z0-9.-]{1,64})?$/,
  says: 'must be a facility of the list',
})

const receiverOf = (id: string, facilities: Pick<Facilities, 'find'>): string => {
  const organisation = `Organization/${id}`
  return `${facilities.find({ clientId: id, organisation })?.clientId ?? id} ${organisation}`
}

export function readReceiver(value: string): { receivingFacilityClientId: string; performerId: string | null } {
  const [receivingFacilityClientId = '', performerId = null] = value.split(' ')
  return { receivingFacilityClientId, performerId }
}
