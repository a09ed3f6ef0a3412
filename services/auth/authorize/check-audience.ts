import { incorrect } from '../../../packages/faults/fault.ts'
import type { AuthSettings } from '../settings.ts'
import type { Asked } from './asked.ts'

/**
 * The app must have meant our FHIR server: one that was lured to a counterfeit would carry our token to it. Clients
 * write the address with or without its last slash, as they got it.
 */
export function checkAudience({ parameters }: Asked, { settings }: { readonly settings: AuthSettings }): undefined {
  if (parameters['aud']?.replace(/\/$/, '') === settings.fhirBase) return
  throw incorrect(`aud must be the address of the FHIR server, ${settings.fhirBase}.`, { code: 'invalid_request' })
}
