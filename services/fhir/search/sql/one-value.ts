import { jsonNamesOf, type Definitions, type SearchParameter } from '../../../../packages/fhir/definitions.ts'

/** A resource of the type has at most one value under the parameter: all its paths are choices of one element that is not repeated. */
export function hasOneValue(type: string, { branches = [] }: SearchParameter, definitions: Definitions): boolean {
  const names = branches.map(({ steps: [step, ...more] }) => (more.length === 0 ? step : undefined))
  return definitions
    .elementsOf(type)
    .filter(({ max = 1 }) => max === 1)
    .map(jsonNamesOf)
    .some((own) => names.length > 0 && names.every((name) => typeof name === 'string' && own.includes(name)))
}
