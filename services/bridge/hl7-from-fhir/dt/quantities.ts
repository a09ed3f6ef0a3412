import { inDigits } from '../../../../packages/fhir/number.ts'
import type { Quantity } from '../../../../packages/fhir/r4.ts'
import type { ComponentValue, FieldValue } from '../../../../packages/hl7/index.ts'
import type { WriterDeps } from '../written-segment.ts'
import { systemName } from './coded.ts'

/** With every digit that the store has. NM has no exponents. */
export const number = (quantity: Quantity | undefined): string | undefined =>
  quantity?.value === undefined ? undefined : inDigits(String(quantity.value))

/** CQ: the number, and its unit by code or else by name. */
export const amount = (quantity: Quantity | undefined): readonly ComponentValue[] | undefined =>
  quantity?.value === undefined ? undefined : [number(quantity), quantity.code ?? quantity.unit]

/** CE: the unit by its code where it has one. */
export function unitOf(quantity: Quantity | undefined, deps: WriterDeps): FieldValue {
  const { unit, code, system } = quantity ?? {}
  return code === undefined ? [undefined, unit] : [code, unit === code ? undefined : unit, systemName(system, deps)]
}

/** As numbers: a decimal of the store keeps its digits. */
export const isSameAmount = (one: Quantity | undefined, other: Quantity | undefined): boolean =>
  one?.value !== undefined &&
  Number(number(one)) === Number(number(other)) &&
  (one.code ?? one.unit) === (other?.code ?? other?.unit)
