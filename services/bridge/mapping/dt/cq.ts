import type { Quantity } from '../../../../packages/fhir/r4.ts'
import { decimalOf } from '../../../../packages/fhir/parse-json.ts'
import { readCq, type Coded, type Part } from '../../../../packages/hl7/index.ts'
import { type At, warnAt } from '../at.ts'
import { rowOf } from '../code-map.ts'
import { compact } from '../compact.ts'
import { ucum } from '../terms.ts'
import { unit } from '../v/units.ts'

/** CQ: a number with its unit. */
export function cq(part: Part | undefined, place: At): Quantity | undefined {
  const read = readCq(part)
  if (read?.value !== undefined) return quantity(read.value, read.unit, place)
  if (part?.text(1) !== undefined) warnAt(place, 'bad-number', 'This is no number; it was left out.')
  return undefined
}

/** A decimal text and its unit (as of CQ.2 and OBX-6); the unit has a code where it is known to be UCUM. */
export function quantity(value: string, unitSent: Coded | undefined, _place: At): Quantity {
  const sent = unitSent?.codes?.[0]
  const text = sent?.code ?? sent?.display
  const code = sent?.system?.toUpperCase() === 'UCUM' ? sent.code : text === undefined ? undefined : rowOf(unit, text)
  return {
    value: decimal(value),
    ...compact<Quantity>({
      unit: sent?.display ?? text,
      system: code === undefined ? undefined : ucum,
      code,
    }),
  }
}

/** The decimal with every digit that was sent. R4's types know only numbers; the writer of JSON knows both. */
export const decimal = (text: string): number => decimalOf(text) as number
