/** A granular query is a bounded search of a resource type: `category=<system>|<code>&status=final`. */
const queryCharactersMax = 1_000
const conditionsMax = 16

/**
 * Parameters that shape an answer and confine nothing. A scope that looked narrow because of one of them would be wide
 * open.
 */
const shaping = new Set([
  '_contained',
  '_containedType',
  '_count',
  '_elements',
  '_format',
  '_include',
  '_maxresults',
  '_offset',
  '_pretty',
  '_revinclude',
  '_score',
  '_sort',
  '_summary',
  '_total',
])

export function isQuery(text: string): boolean {
  if (text.length > queryCharactersMax) return false
  const conditions = text.split('&')
  return conditions.length <= conditionsMax && conditions.every(isCondition)
}

/** The same conditions, whatever their order, repetition and percent-encoding. */
export function sameQuery(some: string, other: string): boolean {
  return canonicalQuery(some) === canonicalQuery(other)
}

/** One spelling for all queries that mean the same; for comparing, not for showing. */
export function canonicalQuery(query: string): string {
  const conditions = query.split('&').map((condition) => {
    const { name, value } = split(condition)
    return `${name}=${encodeURIComponent(decodeURIComponent(value))}`
  })
  return [...new Set(conditions)].sort().join('&')
}

function isCondition(condition: string): boolean {
  const { name, value } = split(condition)
  const [parameter = ''] = name.split(':')
  return (
    /^[A-Za-z_][A-Za-z0-9_-]{0,63}(?:[:.][A-Za-z][A-Za-z0-9_-]{0,63}){0,4}$/.test(name) &&
    !shaping.has(parameter) &&
    value !== '' &&
    isDecodable(value)
  )
}

function split(condition: string): { readonly name: string; readonly value: string } {
  const at = condition.indexOf('=')
  return at < 0 ? { name: condition, value: '' } : { name: condition.slice(0, at), value: condition.slice(at + 1) }
}

function isDecodable(value: string): boolean {
  try {
    return decodeURIComponent(value) !== ''
  } catch {
    return false
  }
}
