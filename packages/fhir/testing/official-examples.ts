import { readdirSync, readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

export interface Example {
  readonly name: string
  readonly text: string
}

const folder = dirname(createRequire(import.meta.url).resolve('hl7.fhir.r4.examples/package.json'))

/**
 * The resources of the official R4 package whose file name fits, in the order of their names. Left out are the twelve
 * of more than 2 MB, more than half of the 188 MB: nearly all are bundles of the other files.
 */
export function* officialExamples(pattern: RegExp = /./): Generator<Example> {
  for (const file of readdirSync(folder).sort()) {
    const isResource = file.endsWith('.json') && file !== 'package.json' && !file.startsWith('ig-')
    if (!isResource || !pattern.test(file) || statSync(join(folder, file)).size > 2_000_000) continue
    yield {
      name: file.slice(0, -5),
      // Read only when asked for, because most tests want only some.
      get text() {
        return readFileSync(join(folder, file), 'utf8')
      },
    }
  }
}
