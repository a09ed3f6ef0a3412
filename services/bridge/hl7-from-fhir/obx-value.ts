import { inDigits } from '../../../packages/fhir/number.ts'
import type { Observation, ObservationComponent, Quantity, Ratio, SampledData } from '../../../packages/fhir/r4.ts'
import type { FieldValue } from '../../../packages/hl7/index.ts'
import { cwe, systemName } from './dt/coded.ts'
import { number } from './dt/quantities.ts'
import { hl7Time } from './dt/times.ts'
import type { WriterDeps } from './written-segment.ts'

/** OBX-2, OBX-5 and OBX-6. */
export interface Value {
  readonly type: string
  readonly value: FieldValue
  readonly unit?: FieldValue
}

/** By the kind of value. */
export function valueOf(part: Observation | ObservationComponent, deps: WriterDeps): Value | undefined {
  const { valueQuantity, valueCodeableConcept, valueString, valueDateTime, valueTime, valuePeriod } = part
  const { valueRange, valueRatio, valueSampledData, valueInteger, valueBoolean } = part
  if (valueQuantity !== undefined) return ofQuantity(valueQuantity, deps)
  if (valueCodeableConcept !== undefined) return { type: 'CWE', value: cwe(valueCodeableConcept, deps) }
  if (valueString !== undefined) {
    return valueString.includes('\n') ? { type: 'TX', value: valueString } : { type: 'ST', value: valueString }
  }
  if (valueDateTime !== undefined) return { type: 'TS', value: hl7Time(valueDateTime) }
  if (valueTime !== undefined) return { type: 'TM', value: valueTime.replaceAll(':', '') }
  if (valuePeriod !== undefined) {
    return { type: 'DR', value: [hl7Time(valuePeriod.start), hl7Time(valuePeriod.end)] }
  }
  if (valueRange !== undefined) {
    const value = [undefined, number(valueRange.low), '-', number(valueRange.high)]
    return { type: 'SN', value, unit: unitOfResult(valueRange.low ?? valueRange.high, deps) }
  }
  if (valueRatio !== undefined) return ofRatio(valueRatio)
  if (valueSampledData !== undefined) return ofSamples(valueSampledData, deps)
  if (valueInteger !== undefined) return { type: 'NM', value: valueInteger }
  return valueBoolean === undefined ? undefined : { type: 'ID', value: valueBoolean ? 'Y' : 'N' }
}

function ofQuantity(quantity: Quantity, deps: WriterDeps): Value {
  const unit = unitOfResult(quantity, deps)
  if (quantity.comparator === undefined) return { type: 'NM', value: number(quantity), unit }
  return { type: 'SN', value: [quantity.comparator, number(quantity)], unit }
}

/** SN has one comparator, before its first number: one of the second can only be told as text. */
function ofRatio({ numerator, denominator }: Ratio): Value {
  const [first, second] = [number(numerator), number(denominator)]
  if (denominator?.comparator === undefined) return { type: 'SN', value: [numerator?.comparator, first, ':', second] }
  const value = `${numerator?.comparator ?? ''}${first ?? ''}:${denominator.comparator}${second ?? ''}`
  return { type: 'ST', value }
}

/** NA is one row of numbers, with gaps: several rows, and points off the scale (U, L), are text. */
function ofSamples({ origin, factor = 1, dimensions, data = '' }: SampledData, deps: WriterDeps): Value {
  // A decimal of the store keeps its digits; here they are counted with.
  const [zero, scale] = [Number(String(origin.value ?? 0)), Number(String(factor))]
  const points = data.split(' ').flatMap((point) => (point === '' ? [] : inDigits(point)))
  const isPlain = zero === 0 && scale === 1
  const told = isPlain ? points : points.map((point) => (isLetter(point) ? point : scaled(point, zero, scale)))
  const isRow = dimensions === 1 && told.every((point) => point === gap || !isLetter(point))
  const value = isRow ? told.map((point) => (point === gap ? undefined : point)) : told.join(' ')
  return { type: isRow ? 'NA' : 'ST', value, unit: unitOfResult(origin, deps) }
}

/** A point that was not measured. */
const gap = 'E'
const isLetter = (point: string): boolean => point === gap || point === 'U' || point === 'L'

/** In the digits that a sum of two such numbers has: 0.1 and 0.2 are 0.3. */
const scaled = (point: string, zero: number, scale: number): string =>
  inDigits(String(Number((zero + scale * Number(point)).toPrecision(12))))

/** OBX-6: a unit without a code stands where the code would. */
function unitOfResult(quantity: Quantity | undefined, deps: WriterDeps): FieldValue {
  const { unit, code, system } = quantity ?? {}
  return code === undefined ? unit : [code, unit === code ? undefined : unit, systemName(system, deps)]
}
