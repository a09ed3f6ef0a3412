import { invalid } from '../../../packages/faults/fault.ts'
import { day, optional } from '../../../packages/http/fields.ts'

/** The days of which a list is wanted. */
export const dayFields = {
  from: optional(day({ description: 'First day, in UTC.' })),
  to: optional(day({ description: 'Last day, in UTC.' })),
}

export function checkDays({ from, to }: { readonly from?: string; readonly to?: string }): void {
  if (from !== undefined && to !== undefined && from > to) {
    throw invalid({ path: 'from', message: 'must not be after to' })
  }
}
