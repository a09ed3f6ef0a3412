import type { Definitions } from '../../../../packages/fhir/definitions.ts'
import type { Statement } from '../../../../packages/sql/sql.ts'
import type { AccessConditions } from '../../scopes/access.ts'
import type { ResolvedCodes } from '../resolve-codes.ts'
import type { FoundSets } from './found-sets.ts'

/** What conditions are made with. */
export interface SqlContext {
  readonly definitions: Definitions
  readonly allTypes: ReadonlySet<string>
  /** Of the caller: applied to every resource that a condition reaches. */
  readonly access: AccessConditions
  readonly codes: ResolvedCodes
  /** The sets of values that a condition on what is shared finds, where they are few enough to be named. */
  readonly sets: FoundSets
  /** The condition of a granular scope on `r`, a resource of the type. */
  readonly granular: GranularCondition
  /** Of the resources that conditions are held against few are left: chains are followed from each. */
  readonly isAmongFew?: true
}

export type GranularCondition = (type: string, query: string) => Statement
