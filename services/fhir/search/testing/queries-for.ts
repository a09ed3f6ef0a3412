import { bug, unreachable } from '../../../../packages/faults/fault.ts'
import type { IndexEntry, IndexValue } from '../../../../packages/fhir/search/index-value.ts'
import { escape } from '../parse/escapes.ts'
import { queryText } from '../parse/query-text.ts'

/** Queries that must find a resource with these index values, as somebody would type them. */
export function queriesFor(entries: readonly IndexEntry[]): string[] {
  return spread(entries).flatMap(({ parameter, values: [value] }) =>
    value === undefined ? [] : [queryText([[searchName(parameter.code, value), textOf(value)]])],
  )
}

/** At most four, from the first to the last of them, so that every kind has its turn. */
function spread(entries: readonly IndexEntry[]): IndexEntry[] {
  const searchable = entries.filter(
    ({ parameter: { code }, values: [first] }) => code !== 'phonetic' && first !== undefined && isSearchable(first),
  )
  if (searchable.length <= 4) return searchable
  return [0, 1, 2, 3].flatMap((step) => searchable[Math.round((step * (searchable.length - 1)) / 3)] ?? [])
}

const isSearchable = (value: IndexValue) =>
  value.kind !== 'reference' || (value.id ?? value.url ?? value.identifierValue) !== undefined

function searchName(code: string, value: IndexValue): string {
  if (value.kind === 'token' && value.code === undefined) return `${code}:text`
  if (value.kind === 'reference' && value.id === undefined && value.url === undefined) return `${code}:identifier`
  return code
}

/** What somebody would type who looks for this value. */
function textOf(value: IndexValue): string {
  switch (value.kind) {
    case 'token':
      if (value.code === undefined) return escape(value.text ?? '')
      return `${escape(value.system ?? '')}|${escape(value.code)}`
    case 'string':
      return escape(value.text)
    case 'date':
      return Number.isFinite(value.low) ? `ge${isoOf(value.low)}` : `le${isoOf(value.high)}`
    case 'number':
      return numberText(value)
    case 'quantity':
      return `${numberText(value)}|${escape(value.system ?? '')}|${escape(value.code ?? value.unit ?? '')}`
    case 'uri':
      return escape(value.uri)
    case 'reference':
      if (value.url !== undefined) return escape(value.url)
      return value.id === undefined ? identifierText(value) : `${value.type}/${value.id}`
    case 'composite':
      return value.parts.map(textOf).join('$')
    default:
      return unreachable(value)
  }
}

const isoOf = (ms: number) => new Date(ms).toISOString()

const identifierText = ({ identifierSystem = '', identifierValue }: Extract<IndexValue, { kind: 'reference' }>) => {
  if (identifierValue === undefined) throw bug('the reference has nothing to be found by')
  return `${escape(identifierSystem)}|${escape(identifierValue)}`
}

function numberText({ value, low, high }: { value: number | undefined; low: number; high: number }): string {
  if (value !== undefined) return String(value)
  return Number.isFinite(low) ? `ge${low}` : `le${high}`
}
