import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { assert } from '../../packages/faults/fault.ts'

interface CorpusFile {
  /** Relative to the folder asked for. */
  readonly name: string
  readonly read: () => Buffer
}

/** The files below a folder of the corpus that `npm run test:corpus` was given, in the order of their names. */
export function corpusFiles(folder: string, ending: string): CorpusFile[] {
  const corpus = process.env['CORRIDOR_TEST_CORPUS']
  assert(corpus !== undefined, 'run the corpora with npm run test:corpus')
  const start = join(corpus, folder)
  return readdirSync(start, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .sort()
    .map((name) => ({ name, read: () => readFileSync(join(start, name)) }))
}
