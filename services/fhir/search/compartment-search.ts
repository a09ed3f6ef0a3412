import { missing } from '../../../packages/faults/fault.ts'
import type { Definitions } from '../../../packages/fhir/definitions.ts'
import type { Search } from './ast.ts'

/** `Patient/1/Observation?…` and `Patient/1/*`: the search, confined to what belongs to the owner. */
export function withinCompartment(
  search: Search,
  { type: compartment, id }: { readonly type: string; readonly id: string },
  type: string | undefined,
  definitions: Definitions,
): Search {
  if (!definitions.compartmentNames.includes(compartment)) {
    throw missing(`There is no compartment of a ${compartment}.`)
  }
  const isMember = (each: string) =>
    each === compartment || definitions.compartmentParameters(compartment, each).length > 0
  if (type !== undefined && !isMember(type)) {
    throw missing(`Resources of type ${type} are never in the compartment of a ${compartment}.`)
  }
  const branches = search.branches.map(({ types, conditions }) => ({
    types: types.filter(isMember),
    conditions: [...conditions, { kind: 'compartment', compartment, id } as const],
  }))
  return { ...search, branches: branches.filter(({ types }) => types.length > 0) }
}
