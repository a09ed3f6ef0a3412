import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { threadId } from 'node:worker_threads'
import type { CodeSystem, ConceptMap, ValueSet } from '../../../../packages/fhir/r4.ts'
import type { ShippedContent } from '../content.ts'
import { compileCodeSystem } from './code-system.ts'
import { compileConceptMap } from './concept-map.ts'
import { compileValueSet } from './value-set.ts'

/** Writes the content of the official R4 package to the file unless it already holds that of these inputs. */
export function ensureCompiled(file: string): 'made' | 'kept' {
  const folder = packageFolder()
  const fingerprint = fingerprintOf(folder)
  if (beginsWith(file, `{"fingerprint":"${fingerprint}"`)) return 'kept'
  const own = `${file}.${process.pid}-${threadId}`
  mkdirSync(dirname(file), { recursive: true })
  try {
    writeFileSync(own, JSON.stringify({ fingerprint, ...compileContent(folder) }))
    // Readers see a whole file or none, however many write at once.
    renameSync(own, file)
  } finally {
    rmSync(own, { force: true })
  }
  return 'made'
}

function compileContent(folder: string = packageFolder()): ShippedContent {
  const codeSystems = readAll<CodeSystem>(folder, 'CodeSystem').flatMap(compileCodeSystem)
  const systems = new Set(codeSystems.map(({ url }) => url))
  const valueSets = readAll<ValueSet>(folder, 'ValueSet').flatMap((valueSet) => compileValueSet(valueSet, systems))
  const known = new Set(valueSets.map(({ url }) => url))
  return {
    codeSystems,
    // One that is made of a set which was left out would be answered wrongly.
    valueSets: valueSets.filter(({ include }) =>
      include.every(({ valueSets: others = [] }) => others.every((url) => known.has(url))),
    ),
    conceptMaps: readAll<ConceptMap>(folder, 'ConceptMap').flatMap((map) => compileConceptMap(map, systems)),
  }
}

function packageFolder(): string {
  return dirname(createRequire(import.meta.url).resolve('hl7.fhir.r4.examples/package.json'))
}

/** The official files are what their names say; a wrong shape stops the build. */
function readAll<Kind>(folder: string, type: string): Kind[] {
  return readdirSync(folder)
    .filter((name) => name.startsWith(`${type}-`) && name.endsWith('.json'))
    .sort()
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Kind)
}

/** By content: installed files carry the time of their packing. */
function fingerprintOf(folder: string): string {
  const hash = createHash('sha256').update(readFileSync(join(folder, 'package.json')))
  for (const name of readdirSync(import.meta.dirname).sort()) {
    if (/\.(ts|js)$/.test(name) && !name.includes('.test.')) hash.update(readFileSync(join(import.meta.dirname, name)))
  }
  return hash.digest('hex')
}

function beginsWith(file: string, text: string): boolean {
  try {
    return readFileSync(file, 'utf8').startsWith(text)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false
    throw error
  }
}
