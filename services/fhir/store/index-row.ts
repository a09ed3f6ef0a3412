import { unreachable } from '../../../packages/faults/fault.ts'
import { fold } from '../../../packages/fhir/fold.ts'
import type {
  IndexValue,
  NumberValue,
  QuantityValue,
  ReferenceValue,
  TokenValue,
} from '../../../packages/fhir/search/index-value.ts'
import { beginningOf, wholeText } from './indexed-text.ts'
import type { IndexKind } from './index-kinds.ts'
import { addressKey, noSystem, resourceKey, systemKey, type Key } from './keys.ts'

/** What stands in a column. Infinite numbers are written as text, which PostgreSQL reads and a hash can tell apart. */
export type Cell = string | number | null

export interface Row {
  readonly kind: IndexKind | undefined
  /** Behind key, param and seq, in the order of the table's columns. */
  readonly cells: readonly Cell[]
}

/** The row of one value; a reference that is only an identifier has none of its own. */
export function rowOf(value: IndexValue, ownBases: readonly string[]): Row {
  switch (value.kind) {
    case 'token':
      return { kind: 'tokens', cells: [systemKey(value.system), codeCell(value), textCell(value.text)] }
    case 'string':
      return { kind: 'strings', cells: [beginningOf(value.folded), wholeText(value.text)] }
    case 'date':
      return { kind: 'dates', cells: [instantCell(value.low), instantCell(value.high)] }
    case 'reference': {
      const target = targetOf(value, ownBases)
      return target === undefined ? nothing : { kind: 'reference_values', cells: [target] }
    }
    case 'number':
      return {
        kind: 'quantities',
        cells: [value.value ?? null, numberCell(value.low), numberCell(value.high), noSystem, null, null],
      }
    case 'quantity':
      return {
        kind: 'quantities',
        cells: [
          value.value ?? null,
          numberCell(value.low),
          numberCell(value.high),
          systemKey(value.system),
          wholeOrNull(value.code),
          wholeOrNull(value.unit),
        ],
      }
    case 'uri':
      return { kind: 'uris', cells: [wholeText(value.uri)] }
    case 'composite':
      return { kind: 'composites', cells: compositeCells(value.parts, ownBases) }
    default:
      return unreachable(value)
  }
}

export interface DerivedRow {
  readonly kind: IndexKind
  /** Behind the code of the parameter: `identifier:of-type`. */
  readonly suffix: string
  readonly cells: readonly Cell[]
}

/** Rows under names of their own, for the modifiers that look at something beside the value. */
export function derivedRows(value: IndexValue): readonly DerivedRow[] {
  if (value.kind === 'token') return value.identifierTypes === undefined ? none : ofTypeRows(value)
  if (value.kind !== 'reference') return none
  const { identifierSystem, identifierValue, url, version } = value
  const rows: DerivedRow[] = []
  if (identifierValue !== undefined) {
    const cells = [systemKey(identifierSystem), wholeText(identifierValue), null]
    rows.push({ kind: 'tokens', suffix: 'identifier', cells })
  }
  if (version !== undefined && url !== undefined) {
    rows.push({ kind: 'reference_values', suffix: 'version', cells: [addressKey(`${url}|${version}`)] })
  }
  return rows
}

const none: readonly DerivedRow[] = []
const nothing: Row = { kind: undefined, cells: [] }

function ofTypeRows({ identifierTypes = [], code }: TokenValue): DerivedRow[] {
  if (code === undefined) return []
  return identifierTypes.map((type) => ({
    kind: 'tokens',
    suffix: 'of-type',
    cells: [systemKey(type.system), wholeText(`${type.code}|${code}`), null],
  }))
}

const codeCell = ({ code }: TokenValue) => wholeOrNull(code)
const wholeOrNull = (text: string | undefined) => (text === undefined ? null : wholeText(text))
const textCell = (text: string | undefined) => (text === undefined ? null : beginningOf(fold(text)))
const numberCell = (value: number): Cell => (Number.isFinite(value) ? value : String(value))

/** A period that is open ends where bigint does. */
function instantCell(ms: number): Cell {
  if (Number.isFinite(ms)) return ms
  return ms < 0 ? '-9223372036854775808' : '9223372036854775807'
}

/** An address that begins with one of our own bases is a resource of ours. */
function targetOf({ type, id, url }: ReferenceValue, ownBases: readonly string[]): Key | undefined {
  const isLocal =
    type !== undefined &&
    id !== undefined &&
    (url === undefined || url === `${type}/${id}` || ownBases.some((base) => url === `${base}/${type}/${id}`))
  if (isLocal) return resourceKey(type, id)
  return url === undefined ? undefined : addressKey(url)
}

const componentsMax = 3

/** Four columns a component: system, text, low, high. */
function compositeCells(parts: readonly IndexValue[], ownBases: readonly string[]): Cell[] {
  const cells: Cell[] = []
  for (let position = 0; position < componentsMax; position++) {
    const part = parts[position]
    cells.push(...(part === undefined ? emptyComponent : componentCells(part, ownBases)))
  }
  return cells
}

const emptyComponent: readonly Cell[] = [null, null, null, null]

function componentCells(value: IndexValue, ownBases: readonly string[]): readonly Cell[] {
  switch (value.kind) {
    case 'token':
      return [systemKey(value.system), codeCell(value), null, null]
    case 'string':
      return [null, beginningOf(value.folded), null, null]
    case 'uri':
      return [null, wholeText(value.uri), null, null]
    case 'reference':
      return [targetOf(value, ownBases) ?? null, null, null, null]
    case 'date':
      return [null, null, numberCell(value.low), numberCell(value.high)]
    case 'number':
      return [null, null, ...boundCells(value)]
    case 'quantity':
      return [systemKey(value.system), wholeOrNull(value.code ?? value.unit), ...boundCells(value)]
    case 'composite':
      return emptyComponent
    default:
      return unreachable(value)
  }
}

/** The value itself where there is one: with the bounds of its digits `gt5.4` would find 5.4. */
const boundCells = ({ value, low, high }: NumberValue | QuantityValue): [low: Cell, high: Cell] => [
  numberCell(value ?? low),
  numberCell(value ?? high),
]
