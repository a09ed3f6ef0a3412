import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

export interface Example {
  readonly name: string
  readonly text: string
}

const folder = dirname(createRequire(import.meta.url).resolve('hl7.fhir.r4.examples/package.json'))

/** The resources of the official R4 package whose file name fits, in the order of their names. */
export function* officialExamples(pattern: RegExp = /./): Generator<Example> {
  for (const file of readdirSync(folder).sort()) {
    const isResource = file.endsWith('.json') && file !== 'package.json' && !file.startsWith('ig-')
    if (isResource && pattern.test(file))
      yield { name: file.slice(0, -5), text: readFileSync(join(folder, file), 'utf8') }
  }
}
