import type { Quantity } from '../../../../packages/fhir/r4.ts'
import type { ComponentValue } from '../../../../packages/hl7/index.ts'

/** With every digit that the store has. */
export const number = (quantity: Quantity | undefined): string | undefined =>
  quantity?.value === undefined ? undefined : String(quantity.value)

/** CQ: the number, and its unit by code or else by name. */
export const amount = (quantity: Quantity | undefined): readonly ComponentValue[] | undefined =>
  quantity?.value === undefined ? undefined : [number(quantity), quantity.code ?? quantity.unit]
