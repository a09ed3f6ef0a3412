import { sides, sidesOf, type Side } from '../party-rules.ts'
import type { ReferralDeps } from '../deps.ts'
import type { Referral } from '../referral.ts'
import type { Call } from './call.ts'

/**
 * Who must hear of a step: the side that did not take it. A caller who stands on neither side, or on both, is taken for
 * the side whose step it usually is.
 */
export function toldSides(
  { caller }: Call,
  referral: Referral,
  usual: Side,
  { facilities }: Pick<ReferralDeps, 'facilities'>,
): readonly Side[] {
  const own = sidesOf(caller, referral, facilities)
  const actedFrom = own.size === 1 ? [...own] : [usual]
  return sides.filter((side) => !actedFrom.includes(side))
}
