import { systemRandom } from '../clock/ids.ts'
import { isLongRun } from './extent.ts'

/**
 * Where the chance of a suite begins. Name it in the suite, so that a run that failed can be made again. Every day the
 * same cases are tried, so that a change fails by what it changed; the long run is what looks for new ones.
 */
export const testSeed = (): number =>
  Number(process.env['CORRIDOR_TEST_SEED'] ?? (isLongRun ? systemRandom.below(2 ** 31) : dailySeed))

const dailySeed = 20_260_304
