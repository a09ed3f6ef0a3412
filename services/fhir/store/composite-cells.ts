import { unreachable } from '../../../packages/faults/fault.ts'
import type { IndexValue, NumberValue, QuantityValue } from '../../../packages/fhir/search/index-value.ts'
import { codeCell, numberCell, targetOf, wholeOrNull, type Cell, type CellDeps } from './index-cells.ts'
import { beginningOf, wholeText } from './indexed-text.ts'
import { systemKey } from './keys.ts'

const componentsMax = 3

/** Four columns a component: system, text, low, high. */
export function compositeCells(parts: readonly IndexValue[], deps: CellDeps): Cell[] {
  const cells: Cell[] = []
  for (let position = 0; position < componentsMax; position++) {
    const part = parts[position]
    cells.push(...(part === undefined ? emptyComponent : componentCells(part, deps)))
  }
  return cells
}

const emptyComponent: readonly Cell[] = [null, null, null, null]

function componentCells(value: IndexValue, deps: CellDeps): readonly Cell[] {
  switch (value.kind) {
    case 'token':
      return [systemKey(value.system, deps.keyOf), codeCell(value), null, null]
    case 'string':
      return [null, beginningOf(value.folded), null, null]
    case 'uri':
      return [null, wholeText(value.uri), null, null]
    case 'reference':
      return [targetOf(value, deps) ?? null, null, null, null]
    case 'date':
      return [null, null, numberCell(value.low), numberCell(value.high)]
    case 'number':
      return [null, null, ...boundCells(value)]
    case 'quantity':
      return [systemKey(value.system, deps.keyOf), wholeOrNull(value.code ?? value.unit), ...boundCells(value)]
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
