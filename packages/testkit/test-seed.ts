import { systemRandom } from '../clock/ids.ts'

/** Where the chance of a suite begins. Name it in the suite, so that a run that failed can be made again. */
export const testSeed = (): number => Number(process.env['CORRIDOR_TEST_SEED'] ?? systemRandom.below(2 ** 31))
