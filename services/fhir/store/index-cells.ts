import { fold } from '../../../packages/fhir/fold.ts'
import type { ReferenceValue, TokenValue } from '../../../packages/fhir/search/index-value.ts'
import { beginningOf, wholeText } from './indexed-text.ts'
import { addressKey, resourceKey, type Key, type KeyOf } from './keys.ts'

/** What stands in a column. Infinite numbers are written as text, which PostgreSQL reads and a hash can tell apart. */
export type Cell = string | number | null

export const codeCell = ({ code }: TokenValue) => wholeOrNull(code)
export const wholeOrNull = (text: string | undefined) => (text === undefined ? null : wholeText(text))
export const textCell = (text: string | undefined) => (text === undefined ? null : beginningOf(fold(text)))
export const numberCell = (value: number): Cell => (Number.isFinite(value) ? value : String(value))

/** A period that is open ends where bigint does. */
export function instantCell(ms: number): Cell {
  if (Number.isFinite(ms)) return ms
  return ms < 0 ? '-9223372036854775808' : '9223372036854775807'
}

/** What makes the cells of a value. */
export interface CellDeps {
  readonly ownBases: readonly string[]
  readonly keyOf?: KeyOf
}

/** An address that begins with one of our own bases is a resource of ours. */
export function targetOf({ type, id, url }: ReferenceValue, { ownBases, keyOf }: CellDeps): Key | undefined {
  const isLocal =
    type !== undefined &&
    id !== undefined &&
    (url === undefined || url === `${type}/${id}` || ownBases.some((base) => url === `${base}/${type}/${id}`))
  if (isLocal) return resourceKey(type, id, keyOf)
  return url === undefined ? undefined : addressKey(url)
}
