import type { Fault } from '../../../packages/faults/fault.ts'
import type { Caller } from '../../../packages/tokens/caller.ts'

/** What may be done to resources of a type, in the letters of SMART scopes. */
export type Right = 'c' | 'r' | 'u' | 'd' | 's'

/**
 * What a caller may reach. It goes with every call of the store and of the search and becomes part of their SQL: for
 * the resources asked for, and for those reached through chains, `_has`, includes, history and bundle entries alike.
 */
export interface AccessConditions {
  of(type: string, right: Right): TypeAccess
  /** The context of the scopes that a caller of this kind asks for; refusals name it. */
  readonly context?: 'patient' | 'user' | 'system'
  /** Whether a scope of that context could help at all; unsaid: yes. */
  isGrantable?(type: string, right: Right): boolean
  /** A patient, or who acts for one, speaks: what they write is labelled as their word. Unsaid: somebody vouches. */
  readonly isPatientsWord?: boolean
  /** Why they may not write what their scopes reach: another service keeps it. Unsaid: nothing is kept from them. */
  refusalOf?(write: WantedWrite): Fault | undefined
}

/** A resource as somebody wants it to be. */
export interface WantedWrite {
  readonly type: string
  readonly id: string
  /** Undefined: deleted. */
  readonly resource: object | undefined
}

/** Everything, nothing, or what is within any one of the bounds. */
export type TypeAccess = 'unrestricted' | 'none' | readonly Bound[]

/** Every member that is given must hold. */
export interface Bound {
  /** The resource is in the compartment of the patient with this id. */
  readonly patient?: string
  /** It is in the compartment of no patient but this one. */
  readonly onlyPatient?: string
  /** A search of the type finds it: `category=http://…|laboratory`, as the scope says it. */
  readonly query?: string
  /** It is this very resource. */
  readonly id?: string
  /** Elements, each by its path, that a change must leave as they are. */
  readonly keeps?: readonly string[]
}

/** For the platform's own work, which acts for nobody. */
export const fullAccess: AccessConditions = { of: () => 'unrestricted' }

/** The one place where a token becomes conditions. */
export type AuthorizeRequest = (caller: Caller) => AccessConditions
