import { hash } from 'node:crypto'
import { timeRangeOf } from '../../../packages/fhir/date.ts'
import type { SortKey } from './ast.ts'
import { refuse } from './parse/refuse.ts'
import { cursorName } from './parse/result-parameters.ts'
import type { Key } from '../store/keys.ts'

/** Where a page begins: behind this row, or before it when the caller goes backwards. */
export interface PagePosition {
  readonly key: Key
  /** What the row is sorted by, as PostgreSQL writes it; null where it has no value. */
  readonly values: readonly (string | null)[]
  readonly backwards: boolean
}

/** The search that a cursor belongs to: under another one its values would mean nothing. */
export const fingerprintOf = (search: string): string => hash('sha256', search).slice(0, 16)

export function printCursor({ key, values, backwards }: PagePosition, fingerprint: string): string {
  return Buffer.from(JSON.stringify([fingerprint, backwards ? 1 : 0, key, ...values])).toString('base64url')
}

/**
 * Reads a cursor that an earlier answer gave. It opens nothing: it is a place in the order of the same search, which
 * is made anew with the rights of whoever asks. So it is checked and not signed.
 */
export function parseCursor(text: string, sort: readonly (SortKey | Turn)[], fingerprint: string): PagePosition {
  const [print, direction, key, ...values] = decode(text)
  if (print !== fingerprint) throw refuse(cursorName, 'belongs to another search; follow the links of an answer.')
  const isValid =
    (direction === 0 || direction === 1) &&
    isBigint(key) &&
    values.length === sort.length &&
    values.every((value, position) => isSortValue(value, sort[position]))
  if (!isValid) throw notOurs()
  return { key: key as string, values: values as (string | null)[], backwards: direction === 1 }
}

const notOurs = () => refuse(cursorName, 'is not one that this server made; follow the links of an answer.')

function decode(text: string): unknown[] {
  let decoded: unknown
  try {
    decoded = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
  } catch {
    throw notOurs()
  }
  if (!Array.isArray(decoded)) throw notOurs()
  return decoded
}

const bigintMax = 2n ** 63n
export const isBigint = (value: unknown): boolean =>
  typeof value === 'string' && /^-?\d{1,19}$/.test(value) && BigInt(value) < bigintMax && BigInt(value) >= -bigintMax

/** Of a search whose branches stand one after the other: the place of the row's branch among them. */
type Turn = 'turn'

/** What PostgreSQL could not read as the type of the column would be an error of ours, so it is refused here. */
function isSortValue(value: unknown, key: SortKey | Turn | undefined): boolean {
  if (key === 'turn') return typeof value === 'string' && /^\d$/.test(value)
  if (value === null) return true
  if (typeof value !== 'string' || value.includes('\0')) return false
  if (key?.code === '_lastUpdated') return isTimestamp(value)
  switch (key?.parameter.type) {
    case 'date':
    case 'reference':
      return isBigint(value)
    case 'number':
    case 'quantity':
      return (
        /^-?Infinity$/.test(value) || (/^-?\d+(\.\d+)?(e[+-]\d{1,3})?$/.test(value) && Number.isFinite(Number(value)))
      )
    case 'token':
    case 'string':
    case 'uri':
      return value.isWellFormed()
    case 'composite':
    case 'special':
    case undefined:
    default:
      return false
  }
}

/** `2024-05-01 10:00:00.123456+00`: FHIR has a T between and minutes behind. */
function isTimestamp(value: string): boolean {
  const match = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d{1,6})?[+-]\d\d)(:\d\d)?$/.exec(value)
  return match !== null && timeRangeOf(`${match[1]}T${match[2]}${match[3] ?? ':00'}`) !== undefined
}
