import type { SearchParameter } from '../../../../../packages/fhir/definitions.ts'
import { sql } from '../../../../../packages/sql/sql.ts'
import type { SoughtReference } from '../../ast.ts'
import { targetTypesOf } from '../../parse/target-types.ts'
import { addressKey, resourceKey, type Key } from '../../../store/keys.ts'
import type { Lookup } from '../lookup.ts'

/** A canonical address with its version is another row than the same address without. */
export function referenceLookups(
  references: readonly SoughtReference[],
  parameter: SearchParameter,
  allTypes: Iterable<string>,
): Lookup[] {
  const plain: Key[] = []
  const versioned: Key[] = []
  for (const reference of references) {
    const { url, version } = reference
    if (url === undefined) plain.push(...resourceKeys(reference, parameter, allTypes))
    else if (version === undefined) plain.push(addressKey(url))
    else versioned.push(addressKey(`${url}|${version}`))
  }
  return [
    ...(plain.length === 0 ? [] : [lookup('', plain)]),
    ...(versioned.length === 0 ? [] : [lookup(':version', versioned)]),
  ]
}

/** A bare id is looked for in every type that the reference may lead to. */
export function resourceKeys(
  { type, id = '', canonical }: SoughtReference,
  parameter: SearchParameter,
  allTypes: Iterable<string>,
): Key[] {
  if (canonical !== undefined && type !== undefined) return [resourceKey(type, id), addressKey(canonical)]
  if (type !== undefined) return [resourceKey(type, id)]
  const possible = targetTypesOf(parameter)
  return [...(possible.length === 0 ? allTypes : possible)].map((each) => resourceKey(each, id))
}

const lookup = (suffix: '' | ':version', targets: readonly Key[]): Lookup => ({
  table: 'reference_values',
  suffix,
  predicate: targets.length === 1 ? sql`x.target = ${targets[0]}` : sql`x.target = any(${targets}::bigint[])`,
})
