import type { Match, Search, SoughtCodes } from './ast.ts'
import { matchesIn } from './matches-in.ts'
import { refuse } from './parse/refuse.ts'
import type { SystemCode, ValueSets } from './terminology.ts'

/** The codes that a search asks a terminology for, looked up before any SQL is made. */
export type ResolvedCodes = (sought: SoughtCodes) => readonly SystemCode[]

export async function resolveCodes(search: Pick<Search, 'branches'>, valueSets: ValueSets): Promise<ResolvedCodes> {
  const found = new Map<string, readonly SystemCode[]>()
  for (const { match } of search.branches.flatMap(({ types, conditions }) => matchesIn(types, conditions))) {
    for (const sought of match.anyOf) {
      if (sought.kind !== 'codes' || found.has(keyOf(sought))) continue
      if (found.size === questionsMax) throw tooMany(nameOf(match, sought))
      found.set(keyOf(sought), await lookUp(nameOf(match, sought), sought, valueSets))
    }
  }
  return (sought) => found.get(keyOf(sought)) ?? []
}

/** Each of them may be a whole code system. */
const questionsMax = 30

const tooMany = (name: string) =>
  refuse(name, `makes the search too large: it asks for more than ${questionsMax} value sets or hierarchies of codes.`)

/** For places that cannot wait for a terminology: what needs one matches nothing. */
export const noCodes: ResolvedCodes = () => []

const keyOf = ({ relation, of }: SoughtCodes) => `${relation} ${of}`

/** As the caller wrote it. */
const nameOf = ({ parameter, negated }: Match, { relation }: SoughtCodes) =>
  `${parameter.code}:${negated ? 'not-' : ''}${relation}`

async function lookUp(
  name: string,
  { relation, of }: SoughtCodes,
  valueSets: ValueSets,
): Promise<readonly SystemCode[]> {
  if (relation === 'in') {
    const codes = await valueSets.codesIn(of)
    if (codes === undefined) throw refuse(name, 'names a value set that this server does not know.')
    return codes
  }
  const bar = of.indexOf('|')
  const system = of.slice(0, bar)
  const code = of.slice(bar + 1)
  const codes = await (relation === 'below' ? valueSets.codesBelow(system, code) : valueSets.codesAbove(system, code))
  if (codes === undefined) {
    throw refuse(name, 'names a code whose hierarchy this server does not know.')
  }
  return codes
}
