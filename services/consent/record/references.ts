import { isFhirId } from '../../../packages/fhir/fhir-id.ts'
import { clientIdPattern } from '../../../packages/tokens/client-id.ts'

/** `Patient/<id>` for what a caller gave as that or as the bare id; undefined for anything else. */
export function patientReference(text: string): string | undefined {
  return referenceOf('Patient', text)
}

/** `Organization/<id>`, likewise. */
export function organisationReference(text: string): string | undefined {
  return referenceOf('Organization', text)
}

/** `Device/<id>` or `Organization/<id>`. Client ids serve as device ids and may hold `_`, which a FHIR id may not. */
export const isActorReference = (text: string): boolean =>
  /^(?:Device|Organization)\//.test(text) && clientIdPattern.test(text.slice(text.indexOf('/') + 1))

/** What an app is called in records, for its bare id; what is a reference already stays as it is. */
export const appReference = (text: string): string => (text.includes('/') ? text : `Device/${text}`)

function referenceOf(type: string, text: string): string | undefined {
  const id = text.startsWith(`${type}/`) ? text.slice(type.length + 1) : text
  return isFhirId(id) ? `${type}/${id}` : undefined
}
