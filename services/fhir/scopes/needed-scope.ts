import { forbidden, type Fault } from '../../../packages/faults/fault.ts'
import type { Caller } from '../../../packages/tokens/caller.ts'
import type { AccessConditions, Right } from './access.ts'

/**
 * Refuses a caller who has no scope at all for the type. Who has one is never told of what lies beyond it: a resource
 * out of reach is a resource that is not there.
 */
export function requireScope(access: AccessConditions, type: string, right: Right, caller: Caller): void {
  if (access.of(type, right) === 'none') throw insufficientScope(type, right, caller)
}

/** The refusal of RFC 6750, naming the scope that would help. */
export function insufficientScope(type: string, right: Right, caller: Caller): Fault {
  const scope = `${contextOf(caller)}/${type}.${right}`
  return forbidden(`The access token lacks the scope ${scope}.`, { code: 'insufficient_scope', scopes: [scope] })
}

/** The context that the caller's other scopes are likely to have. */
function contextOf({ patient, fhirUser }: Caller): string {
  if (patient !== undefined) return 'patient'
  return fhirUser === undefined ? 'system' : 'user'
}
