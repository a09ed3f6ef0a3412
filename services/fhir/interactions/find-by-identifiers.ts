import type { Queryable } from '../../../packages/sql/queryable.ts'
import type { AccessConditions } from '../scopes/access.ts'
import { isUnrestricted } from '../store/access-condition.ts'
import { readIdentified, type SoughtIdentifier } from '../store/identified.ts'
import type { Answer, AnsweredPart } from './answer.ts'
import type { InteractionDeps } from './deps.ts'
import { requireRight, requireType } from './require-right.ts'

interface FindRequest {
  readonly identifiers: readonly (SoughtIdentifier & { /** As a search takes it. */ readonly token: string })[]
  readonly perIdentifierMax: number
  readonly access: AccessConditions
}

interface Found {
  readonly type: string
  readonly id: string
  readonly content: string
}

/** Resources by their identifiers: a list of lists, one an identifier, in their order. */
export async function findByIdentifiers(
  { identifiers, perIdentifierMax, access }: FindRequest,
  deps: Pick<InteractionDeps, 'engine' | 'definitions' | 'base'>,
  on: Queryable,
): Promise<Answer> {
  const types = new Set(identifiers.map(({ type }) => type))
  for (const type of types) {
    requireType(type, deps.definitions)
    requireRight(access, type, 's')
  }
  const found: Found[][] = identifiers.map(() => [])
  const isOpen = ({ type }: SoughtIdentifier) => isUnrestricted(access, type, 's')
  const open = [...identifiers.entries()].filter(([, identifier]) => isOpen(identifier))
  const rows = await readIdentified(
    open.map(([, identifier]) => identifier),
    perIdentifierMax,
    on,
  )
  for (const { at, ...row } of rows) found[open[at]?.[0] ?? 0]?.push(row)
  // What a caller is confined to is part of the search, which is another one for each.
  for (const [at, identifier] of identifiers.entries()) {
    if (isOpen(identifier)) continue
    const query = new URLSearchParams({ identifier: identifier.token, _count: String(perIdentifierMax) }).toString()
    const request = { type: identifier.type, query, access, isStrict: true, base: deps.base }
    found[at] = [...(await deps.engine.search(request, on)).entries]
  }
  const touched = found.flat()
  return {
    kind: 'made',
    content: `[${found.map((each) => `[${each.map(({ content }) => content).join()}]`).join()}]`,
    touched,
    parts: [partOf(types, touched)],
  }
}

/** One access: the values are not written down, so many of them say no more than one. */
const partOf = (types: ReadonlySet<string>, found: readonly Found[]): AnsweredPart => ({
  interaction: 'search-type',
  question: `${[...types].sort().join(',')}?identifier`,
  touched: found.map(({ type, id }) => ({ type, id })),
})
