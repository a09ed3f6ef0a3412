import type { Referral, ReferralTask } from '../referral.ts'
import { changedMeanwhile, taskChangedMeanwhile } from '../refusals.ts'

/** The versions from which the caller may have come to want a step; undefined where any will do. */
export type SeenVersions = readonly number[] | undefined

/** Whoever saw another version writes over nothing and takes no step that was meant for what they saw. */
export function checkSeen({ version, status }: Referral, seen: SeenVersions): void {
  if (seen?.includes(version) === false) throw changedMeanwhile(status)
}

/** Nobody cancels work as not yet begun that another facility has accepted since. */
export function checkTaskSeen({ version, status }: ReferralTask, seen: SeenVersions): void {
  if (seen?.includes(version) === false) throw taskChangedMeanwhile(status)
}
