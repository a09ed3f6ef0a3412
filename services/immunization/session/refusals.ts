import { unauthenticated, unavailable } from '../../../packages/faults/fault.ts'

export const noSession = () =>
  unauthenticated('There is no active session. Launch the app for a patient.', { code: 'no_session' })

export const sessionOver = () =>
  unauthenticated('The session is over. Launch the app for the patient again.', { code: 'no_session' })

export const fhirUnavailable = (logged: string, cause?: unknown) =>
  unavailable('The FHIR server does not answer as it should. Try again in a moment.', {
    code: 'fhir_unavailable',
    logged,
    cause,
  })

export const authorizationUnavailable = () =>
  unavailable('The authorization server does not answer, and the session needs a new token. Try again in a moment.', {
    code: 'authorization_unavailable',
  })
