import { parseJson } from '../../../packages/fhir/parse-json.ts'
import type { ValueSet } from '../../../packages/fhir/r4.ts'
import { parseReference } from '../../../packages/fhir/reference.ts'
import type { Queryable } from '../../../packages/sql/queryable.ts'
import type { AccessConditions } from '../scopes/access.ts'
import { readResource } from '../store/read.ts'
import type { SearchEngine } from './engine.ts'
import type { ValueSets } from './terminology.ts'

interface LiteralSetsDeps {
  readonly valueSets: ValueSets
  readonly ownBases: readonly string[]
  readonly engine: Pick<SearchEngine, 'condition'>
}

/** `:in` may also say where the value set lies (R4: a literal reference): `ValueSet/1`, if the caller may read it. */
export function withLiteralSets(
  { valueSets, ownBases, engine }: LiteralSetsDeps,
  access: AccessConditions,
  on: Queryable,
): ValueSets {
  return {
    ...valueSets,
    async codesIn(url) {
      const codes = await valueSets.codesIn(url)
      const id = codes === undefined ? idOf(url, ownBases) : undefined
      if (id === undefined) return codes
      const { content } = (await readResource({ type: 'ValueSet', id, access }, on, engine)) ?? {}
      // Sound: under the type nothing but its resources is stored.
      return content === undefined ? undefined : valueSets.codesOfSet(parseJson(content) as ValueSet)
    },
  }
}

function idOf(url: string, ownBases: readonly string[]): string | undefined {
  const parsed = parseReference(url)
  const isOurs = parsed.kind === 'relative' || (parsed.kind === 'absolute' && ownBases.includes(parsed.base))
  return isOurs && parsed.type === 'ValueSet' ? parsed.id : undefined
}
