import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
import { threadId } from 'node:worker_threads'
import type { CompiledDefinitions } from '../compiled.ts'
import { compileCodeSets } from './code-sets.ts'
import { compileCompartments } from './compartments.ts'
import { openPackage, type PackageFolder } from './package-folder.ts'
import { compileParameters } from './search-parameters.ts'
import { compileStructures } from './structures.ts'

/**
 * Writes the compiled definitions to the file unless it already holds those of these inputs. Several threads and
 * processes may do so at once: each writes its own file and renames it, so a reader sees a whole file or none.
 */
export function ensureCompiled(file: string): 'made' | 'kept' {
  const folder = openPackage()
  const fingerprint = fingerprintOf(folder)
  if (holdsFingerprint(file, fingerprint)) return 'kept'
  const text = JSON.stringify(compileDefinitions(folder, fingerprint))
  const own = `${file}.${process.pid}-${threadId}`
  mkdirSync(dirname(file), { recursive: true })
  try {
    writeFileSync(own, text)
    renameSync(own, file)
  } finally {
    rmSync(own, { force: true })
  }
  return 'made'
}

export function compileDefinitions(folder: PackageFolder, fingerprint: string): CompiledDefinitions {
  const { types, codeSets } = compileCodeSets(compileStructures(folder), folder)
  const parameters = compileParameters(types, folder)
  const compartments = compileCompartments(parameters, folder)
  return { fingerprint, fhirVersion: '4.0.1', types, codeSets, parameters, compartments }
}

/**
 * By content and not by time: installed files carry the time of their packing, and a checkout gives every file the
 * time of the checkout.
 */
function fingerprintOf(folder: PackageFolder): string {
  const hash = createHash('sha256').update(readFileSync(join(folder.path, 'package.json')))
  const sources = readdirSync(import.meta.dirname).filter((name) => /(?<!\.test)\.(?:ts|js)$/.test(name))
  for (const name of [...sources.sort(), `../choice-name${extname(import.meta.filename)}`]) {
    hash.update(readFileSync(join(import.meta.dirname, name)))
  }
  return hash.digest('hex')
}

/** The fingerprint is the first member, so its place is known. */
function holdsFingerprint(file: string, fingerprint: string): boolean {
  try {
    return readFileSync(file, 'utf8').startsWith(`{"fingerprint":"${fingerprint}"`)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false
    throw error
  }
}
