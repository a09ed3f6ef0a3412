// `npm run bench [name…] [-- --rounds N --seconds S --out file]`: builds what is measured, then measures it.
import { buildIfNeeded } from './build.js'

try {
  await buildIfNeeded()
  await import('../dist/bench/harness/main.js')
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
}
