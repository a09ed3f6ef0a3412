import { isLongRun } from './long-run.ts'

/** How many cases a property is tried on: twenty times as many in the long run. */
export const runs = (count: number): { readonly numRuns: number } => ({ numRuns: isLongRun ? 20 * count : count })
