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
export function createOwnersOf(
  compartment: string,
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
      walks = prepareType(compartment, type, definitions)
      byType.set(type, walks)
    }
    const owners = new Set<string>()
    if (type === compartment && typeof root['id'] === 'string') owners.add(root['id'])
    if (walks.length === 0) return [...owners]
    const values: IndexValue[] = []
    for (const walk of walks) walk(root, root, values)
    for (const value of values) {
      if (value.kind !== 'reference' || value.type !== compartment || value.id === undefined) continue
      if (isOwn(value, ownBases)) owners.add(value.id)
    }
    return [...owners]
  }
}

function prepareType(compartment: string, type: string, definitions: Definitions): Walk<IndexValue[]>[] {
  return definitions.compartmentParameters(compartment, type).flatMap((code) => {
    const parameter = definitions.parameter(type, code)
    return parameter === undefined ? [] : prepareParameter(parameter, definitions)
  })
}

/** The address has to be exactly base/Type/id: a base that merely begins like an own one is another server. */
const isOwn = ({ url, type, id }: ReferenceValue, ownBases: readonly string[]) =>
  url === undefined || ownBases.some((base) => url === `${base}/${type}/${id}`)
