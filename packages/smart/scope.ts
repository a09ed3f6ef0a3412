/**
 * A SMART App Launch scope (http://hl7.org/fhir/smart-app-launch/scopes-and-launch-context.html), read once and then
 * handled as a value.
 */
export type Scope = ResourceScope | SpecialScope

/** Access to resources: `patient/Observation.rs?category=laboratory`. */
export interface ResourceScope {
  readonly kind: 'resource'
  readonly context: ScopeContext
  /** A resource type, or `*` for every type. */
  readonly type: string
  /** What may be done: at least one of `cruds`, in that order. */
  readonly letters: string
  /** Version 1 writes `.read`, `.write` and `.*`; version 2 writes the letters. A scope is answered as it was asked. */
  readonly version: 1 | 2
  /** The search that confines the access, as written after the question mark; undefined when nothing confines it. */
  readonly query: string | undefined
}

/** Anything that is not about resources: identity, launch context, refresh. */
interface SpecialScope {
  readonly kind: 'special'
  readonly name: SpecialScopeName
}

export const scopeContexts = ['patient', 'user', 'system'] as const
export type ScopeContext = (typeof scopeContexts)[number]

export const specialScopeNames = [
  'openid',
  'fhirUser',
  'profile',
  'launch',
  'launch/patient',
  'launch/encounter',
  'offline_access',
  'online_access',
] as const
export type SpecialScopeName = (typeof specialScopeNames)[number]
