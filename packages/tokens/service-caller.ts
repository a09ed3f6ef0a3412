import type { Caller } from './caller.ts'

/**
 * A service that calls another one of its process: there is no token, so it is named as the token of its service account
 * would name it, and has just the scopes that it says it needs. Make it once: what a caller may reach is kept with it.
 */
export function serviceCaller({ clientId, scope }: Pick<Caller, 'clientId' | 'scope'>): Caller {
  return {
    subject: subjectOfClient(clientId),
    clientId,
    scope,
    roles: new Set(['SYSTEM']),
    organisation: undefined,
    patient: undefined,
    encounter: undefined,
    fhirUser: undefined,
    tokenId: 'in-process',
    grantId: undefined,
    // As long as the process.
    expiresAt: new Date(8.64e15),
  }
}

/** A client that acts for itself: nobody's own subject begins like this. */
export const subjectOfClient = (clientId: string): string => `${ofClients}${clientId}`

/** The client whose subject it is; undefined of a person's. */
export const clientOfSubject = (subject: string): string | undefined =>
  subject.startsWith(ofClients) ? subject.slice(ofClients.length) : undefined

const ofClients = 'client:'
