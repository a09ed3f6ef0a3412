import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { CodeSystem, CompartmentDefinition, SearchParameter, StructureDefinition, ValueSet } from '../r4.ts'

interface Kinds {
  StructureDefinition: StructureDefinition
  SearchParameter: SearchParameter
  CompartmentDefinition: CompartmentDefinition
  CodeSystem: CodeSystem
  ValueSet: ValueSet
}

/** The official R4 package as npm installed it: one file a resource, `Type-id.json`. */
export interface PackageFolder {
  readonly path: string
  ids(kind: keyof Kinds, pattern: RegExp): string[]
  has(kind: keyof Kinds, id: string): boolean
  read<Kind extends keyof Kinds>(kind: Kind, id: string): Kinds[Kind]
}

export function openPackage(): PackageFolder {
  const path = dirname(createRequire(import.meta.url).resolve('hl7.fhir.r4.examples/package.json'))
  const files = readdirSync(path)
  const present = new Set(files)
  return {
    path,
    ids: (kind, pattern) =>
      files
        .filter((name) => name.startsWith(`${kind}-`) && name.endsWith('.json'))
        .map((name) => name.slice(kind.length + 1, -'.json'.length))
        .filter((id) => pattern.test(id)),
    has: (kind, id) => present.has(`${kind}-${id}.json`),
    // The official files are what they say they are; a wrong shape stops the build at its first use.
    read: <Kind extends keyof Kinds>(kind: Kind, id: string) =>
      JSON.parse(readFileSync(join(path, `${kind}-${id}.json`), 'utf8')) as Kinds[Kind],
  }
}
