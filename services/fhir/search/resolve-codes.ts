import { unreachable } from '../../../packages/faults/fault.ts'
import type { Condition, Search, SoughtCodes } from './ast.ts'
import { refuse } from './parse/refuse.ts'
import type { SystemCode, ValueSets } from './terminology.ts'

/** The codes that a search asks a terminology for, looked up before any SQL is made. */
export type ResolvedCodes = (sought: SoughtCodes) => readonly SystemCode[]

export async function resolveCodes(search: Pick<Search, 'branches'>, valueSets: ValueSets): Promise<ResolvedCodes> {
  const found = new Map<string, readonly SystemCode[]>()
  for (const { conditions } of search.branches) {
    for (const condition of conditions) {
      for (const [name, sought] of soughtCodes(condition)) {
        if (!found.has(keyOf(sought))) found.set(keyOf(sought), await lookUp(name, sought, valueSets))
      }
    }
  }
  return (sought) => found.get(keyOf(sought)) ?? []
}

/** For places that cannot wait for a terminology: what needs one matches nothing. */
export const noCodes: ResolvedCodes = () => []

const keyOf = ({ relation, of }: SoughtCodes) => `${relation} ${of}`

async function lookUp(
  name: string,
  { relation, of }: SoughtCodes,
  valueSets: ValueSets,
): Promise<readonly SystemCode[]> {
  if (relation === 'in') {
    const codes = await valueSets.codesIn(of)
    if (codes === undefined) throw refuse(`${name}:in`, 'names a value set that this server does not know.')
    return codes
  }
  const bar = of.indexOf('|')
  const system = of.slice(0, bar)
  const code = of.slice(bar + 1)
  const codes = await (relation === 'below' ? valueSets.codesBelow(system, code) : valueSets.codesAbove(system, code))
  if (codes === undefined) {
    throw refuse(`${name}:${relation}`, 'names a code whose hierarchy this server does not know.')
  }
  return codes
}

function soughtCodes(condition: Condition): (readonly [name: string, sought: SoughtCodes])[] {
  switch (condition.kind) {
    case 'match':
      return condition.anyOf.flatMap((sought) =>
        sought.kind === 'codes' ? [[condition.parameter.code, sought] as const] : [],
      )
    case 'chain':
      return condition.targets.flatMap((target) => soughtCodes(target.condition))
    case 'has':
      return soughtCodes(condition.condition)
    case 'missing':
    case 'compartment':
    case 'changed':
    case 'care-dates':
      return []
    default:
      return unreachable(condition)
  }
}
