import type { Definitions } from './definitions.ts'
import { prepareParameter } from './search/extract.ts'
import type { IndexValue, ReferenceValue } from './search/index-value.ts'
import type { Node, Walk } from './search/path.ts'

/**
 * The ids of the compartment's owners (patients, for `Patient`) that a resource belongs to, without repeats. Only
 * targets on this server count: relative references, and absolute ones that begin with one of the own bases.
 */
export type OwnersOf = (resource: object) => string[]

interface CompartmentOptions {
  /** The addresses under which this server is known, without a slash at the end. */
  readonly ownBases?: readonly string[]
}

/** Prepares one compartment, `Patient` or another of the five of R4. */
export const createOwnersOf = (compartment: string, definitions: Definitions, options?: CompartmentOptions): OwnersOf =>
  createReferredOf(compartment, (type) => definitions.compartmentParameters(compartment, type), definitions, options)

/** The ids of the patients whom a resource is about that R4 has in no patient's compartment: a Device, a Task and their like. */
export const createSubjectsOf = (definitions: Definitions, options?: CompartmentOptions): OwnersOf =>
  createReferredOf('Patient', (type) => subjectParameters(type, definitions), definitions, options)

function subjectParameters(type: string, definitions: Definitions): readonly string[] {
  const about = aboutPatient(type, definitions)
  return about === undefined || definitions.compartmentParameters('Patient', type).length > 0 ? [] : [about]
}

/** The parameter that finds what is about a patient, where the type has one. */
export const aboutPatient = (type: string, definitions: Definitions): string | undefined =>
  ['patient', 'subject'].find((name) => definitions.parameter(type, name)?.targets?.includes('Patient') === true)

function createReferredOf(
  referred: string,
  codesOf: (type: string) => readonly string[],
  definitions: Definitions,
  { ownBases = [] }: CompartmentOptions = {},
): OwnersOf {
  const byType = new Map<string, readonly Walk<IndexValue[]>[]>()
  return (resource) => {
    const root = resource as Node
    const type = root['resourceType']
    if (typeof type !== 'string' || !definitions.resourceTypes.has(type)) return []
    let walks = byType.get(type)
    if (walks === undefined) {
      walks = prepareType(type, codesOf(type), definitions)
      byType.set(type, walks)
    }
    const owners = new Set<string>()
    if (type === referred && typeof root['id'] === 'string') owners.add(root['id'])
    if (walks.length === 0) return [...owners]
    const values: IndexValue[] = []
    for (const walk of walks) walk(root, root, values)
    for (const value of values) {
      if (value.kind !== 'reference' || value.type !== referred || value.id === undefined) continue
      if (isOwn(value, ownBases)) owners.add(value.id)
    }
    return [...owners]
  }
}

function prepareType(type: string, codes: readonly string[], definitions: Definitions): Walk<IndexValue[]>[] {
  return codes.flatMap((code) => {
    const parameter = definitions.parameter(type, code)
    return parameter === undefined ? [] : prepareParameter(parameter, definitions)
  })
}

/** The address has to be exactly base/Type/id: a base that merely begins like an own one is another server. */
const isOwn = ({ url, type, id }: ReferenceValue, ownBases: readonly string[]) =>
  url === undefined || ownBases.some((base) => url === `${base}/${type}/${id}`)
