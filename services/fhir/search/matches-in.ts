import { unreachable } from '../../../packages/faults/fault.ts'
import type { Condition, Match } from './ast.ts'

export interface TypedMatch {
  readonly match: Match
  /** Of the resources that it is asked of. */
  readonly types: readonly string[]
}

/** Everything that conditions on resources of these types ask of values, also through chains. */
export function matchesIn(types: readonly string[], conditions: readonly Condition[]): TypedMatch[] {
  return conditions.flatMap((condition) => {
    switch (condition.kind) {
      case 'match':
        return [{ match: condition, types }]
      case 'chain':
        return condition.targets.flatMap((target) => matchesIn([target.type], [target.condition]))
      case 'has':
        return matchesIn([condition.source], [condition.condition])
      case 'missing':
      case 'compartment':
      case 'changed':
      case 'care-dates':
        return []
      default:
        return unreachable(condition)
    }
  })
}
