import { systemRandom } from '../clock/ids.ts'

/** `npm run test:faults`: a suite that can tries many more cases than `npm test` has time for. */
export const isLongRun = process.env['CORRIDOR_TEST_LONG'] === 'true'

/** Where the chance of a suite begins. Name it in the suite, so that a run that failed can be made again. */
export const testSeed = (): number => Number(process.env['CORRIDOR_TEST_SEED'] ?? systemRandom.below(2 ** 31))
