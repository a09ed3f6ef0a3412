import { intersectAll } from '../../../packages/smart/intersect.ts'
import { parseScopes } from '../../../packages/smart/parse.ts'
import type { Scope } from '../../../packages/smart/scope.ts'
import type { IsServable } from '../servable-scopes.ts'
import type { Client } from '../store/clients.ts'
import type { UserInToken } from '../store/grant-and-user.ts'
import type { User } from '../store/users.ts'

export interface Circumstances {
  readonly hasPatient: boolean
  readonly hasEncounter: boolean
  readonly isLaunched: boolean
}

/**
 * What is granted of what was asked: within the client's registration, within what the user can give, and only what
 * the context can hold up. Words that are no SMART scope, or that could only give nothing, are left out, never an error.
 */
export function negotiateScope(
  wanted: string,
  client: Client,
  user: User,
  circumstances: Circumstances,
  isServable: IsServable,
): readonly Scope[] {
  return withinRights(wanted, client, user).filter((scope) => isServable(scope) && isHeldUp(scope, circumstances))
}

/** Why nothing of what was asked is granted, by the first thing that leaves none of it: in words that say what to do. */
export function whyNothing(wanted: string, client: Client, user: User, isServable: IsServable): string {
  const known = parseScopes(wanted).filter(isServable)
  if (known.length === 0) return 'None of the scopes is one that this server knows.'
  const registered = intersectAll(known, parseScopes(client.scope))
  if (registered.length === 0) return 'None of the scopes is registered for this client.'
  const given = registered.filter((scope) => canGive(scope, user))
  if (given.length === 0) {
    return 'None of the scopes is for this user to give: system/ scopes are for programs, user/ scopes for staff.'
  }
  if (given.some((scope) => scope.kind === 'special' && scope.name === 'launch/patient')) {
    return 'These scopes need a patient, and none was picked.'
  }
  return given.some((scope) => scope.kind === 'resource')
    ? 'A patient/ scope needs a patient: ask for launch/patient, too, or launch the app from the portal.'
    : 'The scope launch needs the launch token that the portal sends along, launch/encounter one with an encounter.'
}

/**
 * What of these scopes is within the client's registration and can be given by the user. A refresh asks again: either may
 * have been narrowed since.
 */
export function withinRights(wanted: string, client: Client, user: UserInToken): readonly Scope[] {
  return intersectAll(parseScopes(wanted), parseScopes(client.scope)).filter((scope) => canGive(scope, user))
}

/**
 * Nobody can give an app what belongs to service accounts, and only staff what they see of everybody: a patient gives
 * what lies in their own record, and who is related to one only as long as they are signed in: a relation can end.
 */
function canGive(scope: Scope, user: UserInToken): boolean {
  if (scope.kind === 'special') return scope.name !== 'offline_access' || !isRelated(user)
  return scope.context === 'patient' || (scope.context === 'user' && isStaff(user))
}

export const isStaff = ({ fhirUser, roles }: Pick<User, 'fhirUser' | 'roles'>): boolean =>
  !fhirUser.startsWith('Patient/') && worksHere({ roles })

/** Whom the portal is open to: a patient who works here launches apps for others from it. */
export const worksHere = ({ roles }: Pick<User, 'roles'>): boolean =>
  roles.includes('CLINICIAN') || roles.includes('ADMIN')

export const isRelated = ({ fhirUser, roles }: Pick<User, 'fhirUser' | 'roles'>): boolean =>
  fhirUser.startsWith('RelatedPerson/') && !isStaff({ fhirUser, roles })

/** A granted patient scope promises a patient, `launch` a launch. */
export function isHeldUp(scope: Scope, { hasPatient, hasEncounter, isLaunched }: Circumstances): boolean {
  if (scope.kind === 'resource') return scope.context !== 'patient' || hasPatient
  if (scope.name === 'launch') return isLaunched
  if (scope.name === 'launch/encounter') return hasEncounter
  return scope.name !== 'launch/patient' || hasPatient
}
