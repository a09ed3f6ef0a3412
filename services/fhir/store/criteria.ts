import { hash64, type Key } from './keys.ts'

/** The search of a conditional interaction. */
export interface Criteria {
  readonly type: string
  /** As sent, without the question mark. */
  readonly query: string
  /** Who may create under the same claim waits for each other. */
  readonly claim: Key
  /** Where the criteria are one identifier (or one tag) and nothing else: found without the search engine, many at once. */
  readonly identifier: Identifier | undefined
  /** The identifiers that whatever matches has, as far as they are plainly said. */
  readonly named: readonly Identifier[]
}

export interface Identifier {
  /** The search parameter whose tokens hold it; `identifier` unless said. */
  readonly parameter?: '_tag'
  /** Undefined: whatever system; empty: none. */
  readonly system: string | undefined
  readonly value: string
}

export function criteriaOf(type: string, query: string | URLSearchParams): Criteria {
  const pairs = [...(typeof query === 'string' ? new URLSearchParams(query) : query)]
  const identifiers = pairs.filter(([name]) => name === 'identifier').map(([, value]) => value)
  const [first] = identifiers
  // Whatever else is asked for, two that name the same identifier may mean the same resource.
  const claimed =
    first === undefined ? pairs.map(([name, value]) => `${name}=${value}`).sort() : [`identifier=${first}`]
  return {
    type,
    query: String(query),
    claim: hash64(`${type}?${claimed.join('&')}`),
    identifier: pairs.length === 1 ? onlyIdentifier(pairs[0]) : undefined,
    named: identifiers.flatMap((text) => plainIdentifier(text) ?? []),
  }
}

function onlyIdentifier([name, value]: readonly [string, string] = ['', '']): Identifier | undefined {
  if (name !== 'identifier' && name !== '_tag') return undefined
  const identifier = plainIdentifier(value)
  return identifier !== undefined && name === '_tag' ? { ...identifier, parameter: name } : identifier
}

/** One value, and no escape that would have to be understood. */
function plainIdentifier(text: string): Identifier | undefined {
  if (text === '' || /[,\\$]/.test(text)) return undefined
  const bar = text.indexOf('|')
  if (bar === -1) return { system: undefined, value: text }
  const value = text.slice(bar + 1)
  return value === '' || value.includes('|') ? undefined : { system: text.slice(0, bar), value }
}
