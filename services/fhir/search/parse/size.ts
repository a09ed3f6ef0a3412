import type { Branch, Condition } from '../ast.ts'

/** How many look-ups the conditions are made of: every type that a chain may go through counts. */
export const sizeOf = (branches: readonly Branch[]): number =>
  branches.reduce((size, { conditions }) => size + sum(conditions.map(conditionSize)), 0)

function conditionSize(condition: Condition): number {
  if (condition.kind === 'chain') return 1 + sum(condition.targets.map((target) => conditionSize(target.condition)))
  return condition.kind === 'has' ? 1 + conditionSize(condition.condition) : 1
}

const sum = (sizes: readonly number[]) => sizes.reduce((total, size) => total + size, 0)
