// The test command: builds (tests of the command line run what was built), then runs vitest with the given words.
//   npm test                       everything
//   npm test -- packages/sql       only what matches
//   npm run test:faults            the long fault suites, closed by a table of what they counted
import { build } from './build.js'
import { faultSuites, longTestTimeoutMs } from './fault-suites.js'
import { runTool } from './run.js'

const words = process.argv.slice(2)
const isLong = words.includes('--long')
const given = words.filter((word) => word !== '--long')
const isAllOfFaults = isLong && given.join() === 'test/faults'
const filters = isAllOfFaults ? faultSuites : given

try {
  await build()
  const environment = isLong ? { CORRIDOR_TEST_LONG: 'true' } : {}
  const reporters = ['default', './scripts/fault-table.ts', './scripts/closing-line.ts'].map(
    (one) => `--reporter=${one}`,
  )
  const options = isLong ? [...reporters, `--testTimeout=${longTestTimeoutMs}`] : []
  process.exitCode = await runTool('vitest', ['run', ...options, ...filters], environment)
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
}
