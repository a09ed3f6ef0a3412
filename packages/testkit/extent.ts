/** How much a run tries: `npm test` every day, `npm run test:faults` at length, `-- --night` all that the goals ask for. */
const extent = extentNamed(process.env['CORRIDOR_TEST_EXTENT'])

/** Whether there is time for what the daily run leaves out. */
export const isLongRun = extent !== 'daily'

/** How much of something this run tries. Where the night has no number, the long run tries all that is asked for. */
export function casesOf(counts: { readonly daily: number; readonly long: number; readonly night?: number }): number {
  return extent === 'night' ? (counts.night ?? counts.long) : counts[extent]
}

/** How long a test may take that tries so many. */
export const casesTimeoutMs = casesOf({ daily: 1_800_000, long: 1_800_000, night: 14_400_000 })

function extentNamed(name = 'daily'): 'daily' | 'long' | 'night' {
  if (name === 'daily' || name === 'long' || name === 'night') return name
  throw new Error(`CORRIDOR_TEST_EXTENT is daily, long or night, not ${name}`)
}
