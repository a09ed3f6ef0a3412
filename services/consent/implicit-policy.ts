import { unreachable } from '../../packages/faults/fault.ts'
import type { AccessRequest } from './access-request.ts'

/** What holds when no record matches; IHE PCF calls it the implicit policy. */
export const implicitPolicies = ['deny', 'break-glass-only', 'permit-treatment', 'permit-all'] as const
export type ImplicitPolicy = (typeof implicitPolicies)[number]

export function permitsImplicitly(policy: ImplicitPolicy, { purposeOfUse }: AccessRequest): boolean {
  switch (policy) {
    case 'deny':
      return false
    case 'break-glass-only':
      return purposeOfUse === 'BTG'
    case 'permit-treatment':
      return purposeOfUse === 'TREAT' || purposeOfUse === 'ETREAT'
    case 'permit-all':
      return true
    default:
      return unreachable(policy)
  }
}
