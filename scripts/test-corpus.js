// Runs the corpora through Corridor: npm run test:corpus [folder]; the folder is ../shared/corpus unless given.
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { build } from './build.js'
import { root, runTool } from './run.js'

const folder = resolve(process.argv[2] ?? join(root, '..', 'shared', 'corpus'))
if (existsSync(folder)) {
  await build()
  const args = ['run', '--config', 'vitest.corpus.config.ts']
  process.exitCode = await runTool('vitest', args, { CORRIDOR_TEST_CORPUS: folder })
} else {
  console.error(`There is no corpus at ${folder}. Name its folder: npm run test:corpus <folder>`)
  process.exitCode = 1
}
