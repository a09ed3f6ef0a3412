import { authorityUri, type Authority } from '../../../../packages/hl7/index.ts'
import type { MappingContext } from '../context.ts'
import { segmentOfUrl } from '../keys.ts'

/**
 * HD: the identifier system of an authority. Its universal id as a URI; else its namespace in the facility's table;
 * else an address of our own made of facility and namespace (or the kind of identifier). There is always one.
 */
export function systemOf(
  authority: Authority | undefined,
  kind: string,
  { base, facility }: Pick<MappingContext, 'base' | 'facility'>,
): string {
  const universal = authorityUri(authority)
  if (universal !== undefined && isUri(universal)) return universal
  const namespace = authority?.namespace ?? authority?.universalId
  const known = namespace === undefined ? undefined : facility.namespaces.get(namespace)
  return known ?? `${base}/id/${segmentOfUrl(facility.code)}/${segmentOfUrl(namespace ?? kind)}`
}

/** Strict, because a search by `system|value` must find it again. */
const isUri = (text: string): boolean =>
  text.length <= uriLengthMax &&
  (/^urn:oid:[0-2](\.(0|[1-9]\d*))+$/.test(text) ||
    /^urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text) ||
    /^(https?:\/\/|urn:(?!oid:|uuid:)[a-z0-9][a-z0-9-]{1,31}:)[^\s|<>"{}\\^`]+$/i.test(text))

/** What fits twice into the head of a request. */
export const uriLengthMax = 4_000
