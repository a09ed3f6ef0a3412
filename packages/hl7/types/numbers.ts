import type { Part } from '../part.ts'
import { readCwe, type Coded } from './coded.ts'
import { present } from './present.ts'

/** SN: a number with what stands around it: `>^100`, `^1^:^128`, `^10^-^20`. */
export interface StructuredNumber {
  readonly comparator?: '<' | '<=' | '>' | '>=' | '=' | '<>' | undefined
  readonly first?: string | undefined
  readonly separator?: '-' | '+' | '/' | '.' | ':' | undefined
  readonly second?: string | undefined
}

/** CQ: a quantity with its unit. */
export interface Quantity {
  readonly value?: string | undefined
  readonly unit?: Coded | undefined
}

/** NR: a range; either end may be missing. */
export interface NumberRange {
  readonly low?: string | undefined
  readonly high?: string | undefined
}

/** NM as the decimal that was sent: no digit is lost, a plus sign and spaces around it are. Undefined when it is none. */
export function readNm(part: Part | undefined): string | undefined {
  if (part === undefined || part.isEmpty) return undefined
  return decimalOf(part.text(1))
}

export function readSn(part: Part | undefined): StructuredNumber | undefined {
  if (part === undefined || part.isEmpty) return undefined
  const comparator = comparators.get(part.text(1)?.trim() ?? '')
  const separator = separators.find((known) => known === part.text(3)?.trim())
  return present<StructuredNumber>({
    comparator,
    first: decimalOf(part.text(2)),
    separator,
    second: decimalOf(part.text(4)),
  })
}

export function readCq(part: Part | undefined): Quantity | undefined {
  if (part === undefined || part.isEmpty) return undefined
  return present<Quantity>({ value: decimalOf(part.text(1)), unit: readCwe(part.part(2)) })
}

export function readNr(part: Part | undefined): NumberRange | undefined {
  if (part === undefined || part.isEmpty) return undefined
  return present<NumberRange>({ low: decimalOf(part.text(1)), high: decimalOf(part.text(2)) })
}

/** A whole number from 0 on (SI, counts); undefined for anything else. */
export function readSi(part: Part | undefined): number | undefined {
  if (part === undefined || part.isEmpty) return undefined
  const text = part.text(1)?.trim()
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined
}

function decimalOf(text: string | undefined): string | undefined {
  const match = /^\+?(-?)(\d*)(?:\.(\d*))?$/.exec(text?.trim() ?? '')
  if (match === null) return undefined
  const [, sign = '', whole = '', fraction = ''] = match
  if (whole === '' && fraction === '') return undefined
  // FHIR decimals have neither leading zeros nor a bare point.
  const plain = whole.replace(/^0+(?=\d)/, '') || '0'
  return `${sign}${plain}${fraction === '' ? '' : `.${fraction}`}`
}

const comparators: ReadonlyMap<string, StructuredNumber['comparator']> = new Map([
  ...(['<', '<=', '>', '>=', '=', '<>'] as const).map((sign) => [sign, sign] as const),
  // As people write them.
  ...([
    ['≤', '<='],
    ['=<', '<='],
    ['≥', '>='],
    ['=>', '>='],
  ] as const),
])
const separators = ['-', '+', '/', '.', ':'] as const
