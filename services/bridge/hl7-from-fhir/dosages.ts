import type { Dosage, Quantity } from '../../../packages/fhir/r4.ts'

export interface Dose {
  readonly low?: Quantity | undefined
  readonly high?: Quantity | undefined
}

/** How much at a time: one amount, or from one to another. */
export function doseOf(dosage: Dosage | undefined): Dose {
  const { doseQuantity, doseRange } = dosage?.doseAndRate?.[0] ?? {}
  return doseQuantity === undefined ? { low: doseRange?.low, high: doseRange?.high } : { low: doseQuantity }
}
