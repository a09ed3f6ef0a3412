// The test command: builds (tests of the command line run what was built), then runs vitest with the given words.
import { build } from './build.js'
import { extents, faultSuites } from './fault-suites.js'
import { runTool } from './run.js'

const usage = `npm test                         everything but what npm run test:pages does
npm test -- packages/sql         only what matches
npm run test:pages               every page in every state, in Chromium: looks, languages, keyboard, paper
npm run test:faults              the long fault suites (${extents.long.takes}), closed by a table of what they counted
npm run test:faults -- --night   with as many cases as the goals ask for (${extents.night.takes})
npm run test:corpus <folder>     other people's messages and resources through Corridor
npm run test:mutants -- scope    whether the tests notice mistakes in what decides about access
Other words of npm test are for vitest.`

const words = process.argv.slice(2)
const extent = words.includes('--night') ? 'night' : words.includes('--long') ? 'long' : undefined
const given = words.filter((word) => word !== '--long' && word !== '--night')
const isFiltered = given.some((word) => !word.startsWith('-'))
const isAllOfFaults = extent !== undefined && given.join() === 'test/faults'

async function test() {
  if (words.includes('--help') || words.includes('-h')) return console.log(usage)
  if (isAllOfFaults) console.log(`The ${extent} run takes ${extents[extent].takes} on two cores.`)
  await build()
  const filters = isAllOfFaults ? faultSuites : given
  const environment = extent === undefined ? {} : { CORRIDOR_TEST_EXTENT: extent }
  process.exitCode = await runTool('vitest', ['run', ...options(), ...filters], environment)
}

function options() {
  // They have a command of their own, with which both stay short; CI runs both.
  if (extent === undefined) return isFiltered ? [] : ['--exclude=test/pages/**']
  const reporters = ['default', './scripts/fault-table.ts', './scripts/closing-line.ts']
  return [...reporters.map((one) => `--reporter=${one}`), `--testTimeout=${extents[extent].testTimeoutMs}`]
}

try {
  await test()
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
}
