import { nextAbove, nextBelow, numberRangeOf, type NumberRange } from '../number.ts'
import { Decimal } from '../parse-json.ts'
import type { Convert, IndexValue } from './index-value.ts'

export function numberConvert(type: string): Convert | undefined {
  switch (type) {
    case 'integer':
    case 'decimal':
    case 'positiveInt':
    case 'unsignedInt':
      return (node, into) => {
        const range = rangeOf(node)
        if (range !== undefined) into.push({ kind: 'number', value: range.value, low: range.low, high: range.high })
      }
    case 'Range':
      return (node, into) => {
        const bounds = boundsOf(node)
        if (bounds !== undefined) into.push({ kind: 'number', value: undefined, low: bounds.low, high: bounds.high })
      }
    default:
      return undefined
  }
}

export function quantityConvert(type: string): Convert | undefined {
  switch (type) {
    case 'Quantity':
    case 'Age':
    case 'Duration':
    case 'Distance':
    case 'Count':
      return convertQuantity
    case 'Money':
      return convertMoney
    case 'Range':
      return convertRange
    default:
      return undefined
  }
}

interface Quantity {
  readonly value?: unknown
  readonly comparator?: unknown
  readonly unit?: unknown
  readonly system?: unknown
  readonly code?: unknown
}

function rangeOf(value: unknown): NumberRange | undefined {
  return typeof value === 'number' || value instanceof Decimal ? numberRangeOf(String(value)) : undefined
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined)

function convertQuantity(node: unknown, into: IndexValue[]): void {
  if (typeof node !== 'object' || node === null) return
  const quantity = node as Quantity
  const range = rangeOf(quantity.value)
  if (range === undefined) return
  const { value, low, high } = compared(range, quantity.comparator)
  into.push({
    kind: 'quantity',
    value,
    low,
    high,
    system: textOf(quantity.system),
    code: textOf(quantity.code),
    unit: textOf(quantity.unit),
  })
}

/**
 * `<5` is everything below 5, and 5 itself is not: the comparator opens one side, and no single value is left to be equal
 * to.
 */
function compared(range: NumberRange, comparator: unknown): Omit<NumberRange, 'value'> & { value: number | undefined } {
  const { value } = range
  switch (comparator) {
    case '<':
      return { value: undefined, low: -Infinity, high: nextBelow(value) }
    case '<=':
      return { value: undefined, low: -Infinity, high: value }
    case '>':
      return { value: undefined, low: nextAbove(value), high: Infinity }
    case '>=':
      return { value: undefined, low: value, high: Infinity }
    default:
      return range
  }
}

function convertMoney(node: unknown, into: IndexValue[]): void {
  if (typeof node !== 'object' || node === null) return
  const { value, currency } = node as { value?: unknown; currency?: unknown }
  const range = rangeOf(value)
  if (range === undefined) return
  const code = textOf(currency)
  into.push({
    kind: 'quantity',
    value: range.value,
    low: range.low,
    high: range.high,
    system: code === undefined ? undefined : 'urn:iso:std:iso:4217',
    code,
    unit: undefined,
  })
}

function boundsOf(node: unknown): { low: number; high: number; unitOf: Quantity } | undefined {
  if (typeof node !== 'object' || node === null) return undefined
  const { low, high } = node as { low?: Quantity; high?: Quantity }
  const lowest = rangeOf(low?.value)
  const highest = rangeOf(high?.value)
  if (lowest === undefined && highest === undefined) return undefined
  return { low: lowest?.value ?? -Infinity, high: highest?.value ?? Infinity, unitOf: low ?? high ?? {} }
}

function convertRange(node: unknown, into: IndexValue[]): void {
  const bounds = boundsOf(node)
  if (bounds === undefined) return
  into.push({
    kind: 'quantity',
    value: undefined,
    low: bounds.low,
    high: bounds.high,
    system: textOf(bounds.unitOf.system),
    code: textOf(bounds.unitOf.code),
    unit: textOf(bounds.unitOf.unit),
  })
}
