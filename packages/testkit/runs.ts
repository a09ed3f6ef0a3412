/** How many cases a property is tried on: twenty times as many in the long run (`CORRIDOR_TEST_LONG=true`). */
export const runs = (count: number): { readonly numRuns: number } => ({
  numRuns: process.env['CORRIDOR_TEST_LONG'] === 'true' ? 20 * count : count,
})
