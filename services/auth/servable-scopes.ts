import type { Definitions, SearchParameter } from '../../packages/fhir/definitions.ts'
import type { Scope } from '../../packages/smart/scope.ts'

/** Whether the FHIR store could ever give something for a scope. */
export type IsServable = (scope: Scope) => boolean

/**
 * What the store does not understand of a scope opens nothing there (decision 0222), so it is not granted either: a type
 * that R4 does not have, or a query by what the type is not searched by. Whether the values of a query mean something is
 * the store's to say.
 */
export function servableScopes(definitions: Definitions): IsServable {
  return (scope) => {
    if (scope.kind === 'special') return true
    const { type, query } = scope
    const types =
      type === '*' ? [...definitions.resourceTypes] : [type].filter((one) => definitions.resourceTypes.has(one))
    if (query === undefined) return types.length > 0
    const names = query.split('&').map((condition) => condition.slice(0, condition.indexOf('=')))
    return types.some((one) => names.every((name) => isSearchedBy(name, one, definitions)))
  }
}

/** Chains and `_has`, which go through other resources, have names that no parameter has. */
function isSearchedBy(name: string, type: string, definitions: Definitions): boolean {
  const [code = '', modifier, ...more] = name.split(':')
  const parameter = definitions.parameter(type, code)
  if (parameter === undefined || more.length > 0) return false
  return modifier === undefined || isModifier(modifier, parameter, definitions)
}

function isModifier(modifier: string, parameter: SearchParameter, { resourceTypes }: Definitions): boolean {
  if (parameter.type === 'token' && needsTerminology.has(modifier)) return false
  if (parameter.modifiers.includes(modifier)) return true
  return parameter.type === 'reference' && resourceTypes.has(modifier)
}

const needsTerminology: ReadonlySet<string> = new Set(['in', 'not-in', 'above', 'below'])
