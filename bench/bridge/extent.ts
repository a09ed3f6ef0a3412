/** BENCH_EXTENT=long: as much as the goals ask for, which takes half an hour; else a look at it in a minute each. */
const isLong = process.env['BENCH_EXTENT'] === 'long'

export const parkedMessages = isLong ? 50_000 : 2_000
export const loggedMessages = isLong ? 1_000_000 : 100_000
export const steadySeconds = isLong ? 600 : 30
