import { unreachable } from '../../../packages/faults/fault.ts'
import type { IndexValue, TokenValue } from '../../../packages/fhir/search/index-value.ts'
import { compositeCells } from './composite-cells.ts'
import {
  codeCell,
  instantCell,
  numberCell,
  targetOf,
  textCell,
  wholeOrNull,
  type Cell,
  type CellDeps,
} from './index-cells.ts'
import { beginningOf, wholeText } from './indexed-text.ts'
import type { IndexKind } from './index-kinds.ts'
import { addressKey, noSystem, systemKey } from './keys.ts'

interface Row {
  readonly kind: IndexKind | undefined
  /** Behind key, param and seq, in the order of the table's columns. */
  readonly cells: readonly Cell[]
}

/** The row of one value; a reference that is only an identifier has none of its own. */
export function rowOf(value: IndexValue, deps: CellDeps): Row {
  switch (value.kind) {
    case 'token':
      return { kind: 'tokens', cells: [systemKey(value.system, deps.keyOf), codeCell(value), textCell(value.text)] }
    case 'string':
      return { kind: 'strings', cells: [beginningOf(value.folded), wholeText(value.text)] }
    case 'date':
      return { kind: 'dates', cells: [instantCell(value.low), instantCell(value.high)] }
    case 'reference': {
      const target = targetOf(value, deps)
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
          systemKey(value.system, deps.keyOf),
          wholeOrNull(value.code),
          wholeOrNull(value.unit),
        ],
      }
    case 'uri':
      return { kind: 'uris', cells: [wholeText(value.uri)] }
    case 'composite':
      return { kind: 'composites', cells: compositeCells(value.parts, deps) }
    default:
      return unreachable(value)
  }
}

interface DerivedRow {
  readonly kind: IndexKind
  /** Behind the code of the parameter: `identifier:of-type`. */
  readonly suffix: string
  readonly cells: readonly Cell[]
}

/** Rows under names of their own, for the modifiers that look at something beside the value. */
export function derivedRows(value: IndexValue, deps: CellDeps): readonly DerivedRow[] {
  if (value.kind === 'token') return value.identifierTypes === undefined ? none : ofTypeRows(value, deps)
  if (value.kind !== 'reference') return none
  const { identifierSystem, identifierValue, url, version } = value
  const rows: DerivedRow[] = []
  if (identifierValue !== undefined) {
    const cells = [systemKey(identifierSystem, deps.keyOf), wholeText(identifierValue), null]
    rows.push({ kind: 'tokens', suffix: 'identifier', cells })
  }
  if (version !== undefined && url !== undefined) {
    rows.push({ kind: 'reference_values', suffix: 'version', cells: [addressKey(`${url}|${version}`)] })
  }
  return rows
}

const none: readonly DerivedRow[] = []
const nothing: Row = { kind: undefined, cells: [] }

function ofTypeRows({ identifierTypes = [], code }: TokenValue, deps: CellDeps): DerivedRow[] {
  if (code === undefined) return []
  return identifierTypes.map((type) => ({
    kind: 'tokens',
    suffix: 'of-type',
    cells: [systemKey(type.system, deps.keyOf), wholeText(`${type.code}|${code}`), null],
  }))
}
