import type { Referral } from '../referral.ts'
import { changedMeanwhile } from '../refusals.ts'

/** The versions from which the caller may have come to want a step; undefined where any will do. */
export type SeenVersions = readonly number[] | undefined

/** Whoever saw another version writes over nothing and takes no step that was meant for what they saw. */
export function checkSeen({ version, status }: Referral, seen: SeenVersions): void {
  if (seen?.includes(version) === false) throw changedMeanwhile(status)
}
