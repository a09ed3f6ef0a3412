import type { Caller } from '../../../packages/tokens/caller.ts'
import { namesItsPlace, sides, sidesOf, type Side } from '../party-rules.ts'
import type { ReferralDeps } from '../deps.ts'
import type { Referral } from '../referral.ts'
import type { Call } from './call.ts'

/** Who must hear of a step: the side that did not take it. The facility that a draft names has not been asked yet. */
export function toldSides(
  { caller }: Call,
  referral: Referral,
  usual: Side,
  { facilities }: Pick<ReferralDeps, 'facilities'>,
): readonly Side[] {
  const acted = actedFrom(caller, sidesOf(caller, referral, facilities), usual)
  return sides.filter((side) => side !== acted && (side === 'requester' || referral.status !== 'DRAFT'))
}

/** Undefined where neither side took the step: an administrator did, or somebody who is known to work elsewhere. */
function actedFrom(caller: Caller, own: ReadonlySet<Side>, usual: Side): Side | undefined {
  // Wherever an administrator works, the step was taken by their role and not by that facility's clinicians.
  if (caller.roles.has('ADMIN') && !caller.roles.has('CLINICIAN')) return undefined
  const [side = usual] = own
  if (own.size === 0 && (caller.roles.has('ADMIN') || namesItsPlace(caller))) return undefined
  // Who stands on both is taken for the side whose step it usually is, as is who does not say where they work.
  return own.size === 1 ? side : usual
}
