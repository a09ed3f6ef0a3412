import type { Fault } from '../../../packages/faults/fault.ts'
import type { AccessConditions } from '../scopes/access.ts'
import type { Criteria } from './criteria.ts'
import type { ResourceIndex } from './index-rows.ts'

/** One change to one resource, as far as it can be said before the database is asked. */
export interface Change {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly type: string
  readonly target: Target
  /** Undefined deletes. */
  readonly body: Body | undefined
  readonly precondition?: Precondition
  readonly access: AccessConditions
}

type Target =
  /** `PUT Patient/1`: created if it is not there, where that is allowed. */
  | {
      readonly kind: 'id'
      readonly id: string
      readonly mayCreate: boolean
      /** The id was made for it, so there is nothing to look for. */
      readonly isNewId?: boolean
      /** Somebody chose the id for what their criteria did not find: what has it already is something else. */
      readonly mustBeNew?: boolean
    }
  /** `PUT Patient?identifier=…`: what the criteria find. */
  | {
      readonly kind: 'matching'
      readonly criteria: Criteria
      readonly whenNone: 'create' | 'nothing'
      readonly whenOne: 'write' | 'keep'
      /** The id of the resource if it has to be created. */
      readonly newId: string
      /** The id in the body, which must be that of the match. */
      readonly ownId: string | undefined
    }

export interface Body {
  /** Valid, and without what the server gives: id, meta.versionId, meta.lastUpdated. */
  readonly resource: object
  readonly index: ResourceIndex
}

export interface Precondition {
  /** The version that the caller believes to be current. */
  readonly version?: number
  /** `If-Match: *`: it must be there, in whatever version. */
  readonly isPresent?: true
  /** `If-None-Match: *`: it must not be there. */
  readonly isAbsent?: true
}

/** `If-Match` in either form. */
export const mustExist = ({ version, isPresent }: Precondition = {}): boolean =>
  version !== undefined || isPresent === true

/** A version of a resource as it is kept. */
export interface Stored {
  readonly type: string
  readonly id: string
  readonly version: number
  readonly lastUpdated: Date
  /** Undefined: this version says that the resource was deleted. */
  readonly content: string | undefined
}

export type Outcome =
  | { readonly kind: 'created' | 'updated' | 'deleted'; readonly stored: Stored }
  /** The criteria of a conditional create found this one. */
  | { readonly kind: 'kept'; readonly stored: Stored }
  /** There was nothing to delete. */
  | { readonly kind: 'absent' }
  | { readonly kind: 'refused'; readonly fault: Fault }
