import { intersectAll } from '../../../packages/smart/intersect.ts'
import { parseScopes } from '../../../packages/smart/parse.ts'
import type { Scope } from '../../../packages/smart/scope.ts'
import type { IsServable } from '../servable-scopes.ts'
import type { Client } from '../store/clients.ts'
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
  const allowed = intersectAll(parseScopes(wanted), parseScopes(client.scope))
  return allowed.filter((scope) => isServable(scope) && canGive(scope, user) && isHeldUp(scope, circumstances))
}

/**
 * Nobody can give an app what belongs to service accounts, and only staff what they see of everybody: a patient gives
 * what lies in their own record.
 */
function canGive(scope: Scope, user: User): boolean {
  if (scope.kind === 'special') return true
  return scope.context === 'patient' || (scope.context === 'user' && isStaff(user))
}

const isStaff = ({ fhirUser, roles }: User): boolean =>
  !fhirUser.startsWith('Patient/') && (roles.includes('CLINICIAN') || roles.includes('ADMIN'))

/** A granted patient scope promises a patient, `launch` a launch. */
function isHeldUp(scope: Scope, { hasPatient, hasEncounter, isLaunched }: Circumstances): boolean {
  if (scope.kind === 'resource') return scope.context !== 'patient' || hasPatient
  if (scope.name === 'launch') return isLaunched
  if (scope.name === 'launch/encounter') return hasEncounter
  return scope.name !== 'launch/patient' || hasPatient
}
