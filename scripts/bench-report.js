// `npm run bench:report [-- --quick | --full] [name…]`: runs the benchmarks one after another and writes what they say.
import { buildIfNeeded } from './build.js'

try {
  await buildIfNeeded()
  await import('../dist/bench/harness/report/main.js')
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
}
