import type {
  Observation,
  ObservationComponent,
  ObservationReferenceRange,
  Quantity,
} from '../../../packages/fhir/r4.ts'
import type { FieldValue } from '../../../packages/hl7/index.ts'
import { interpretation } from '../mapping/v/0078-interpretation.ts'
import { observationResultStatus } from '../mapping/v/0085-observation-result-status.ts'
import { backwards, cwe, systemName } from './dt/coded.ts'
import { ei, identifierOf } from './dt/identifiers.ts'
import { hl7Time } from './dt/times.ts'
import type { WriterDeps, WrittenSegment } from './written-segment.ts'

/** OBX of an Observation; one of components (blood pressure) becomes an OBX for each. `setId` is that of the first. */
export function obxFrom(observation: Observation, deps: WriterDeps, setId = 1): WrittenSegment[] {
  const parts = observation.component ?? []
  const own = valueOf(observation) === undefined && parts.length > 0 ? [] : [observation]
  return [...own, ...parts].map((part, index) => ({
    name: 'OBX',
    fields: {
      1: setId + index,
      ...said(part),
      11: backwards(observationResultStatus, observation.status),
      14: hl7Time(observation.effectiveDateTime ?? observation.effectivePeriod?.start),
      // The filler's number is that of the whole observation: a component has none.
      21: part === observation ? ei(identifierOf(observation.identifier, 'FILL'), deps.authorities) : undefined,
    },
  }))
}

type Part = Observation | ObservationComponent

function said(part: Part) {
  const { type, value, unit } = valueOf(part) ?? {}
  const code = part.interpretation?.[0]?.coding?.[0]?.code
  return {
    2: type,
    3: cwe(part.code),
    5: value,
    6: unit,
    7: rangeText(part.referenceRange?.[0]),
    8: Object.values(interpretation.rows).some((row) => row.code === code) ? code : undefined,
  }
}

interface Value {
  readonly type: string
  readonly value: FieldValue
  readonly unit?: FieldValue
}

/** OBX-2, OBX-5 and OBX-6 by the kind of value. */
function valueOf(part: Part): Value | undefined {
  const { valueQuantity, valueCodeableConcept, valueString, valueDateTime, valueTime, valueRange, valueRatio } = part
  if (valueQuantity !== undefined) return ofQuantity(valueQuantity)
  if (valueCodeableConcept !== undefined) return { type: 'CWE', value: cwe(valueCodeableConcept) }
  if (valueString !== undefined) {
    return valueString.includes('\n') ? { type: 'TX', value: valueString } : { type: 'ST', value: valueString }
  }
  if (valueDateTime !== undefined) return { type: 'DTM', value: hl7Time(valueDateTime) }
  if (valueTime !== undefined) return { type: 'TM', value: valueTime.replaceAll(':', '') }
  if (valueRange !== undefined) {
    const value = [undefined, number(valueRange.low), '-', number(valueRange.high)]
    return { type: 'SN', value, unit: unitOf(valueRange.low ?? valueRange.high) }
  }
  if (valueRatio !== undefined) {
    return { type: 'SN', value: [undefined, number(valueRatio.numerator), ':', number(valueRatio.denominator)] }
  }
  const whole = part.valueInteger
  if (whole !== undefined) return { type: 'NM', value: whole }
  return part.valueBoolean === undefined ? undefined : { type: 'ID', value: part.valueBoolean ? 'Y' : 'N' }
}

function ofQuantity(quantity: Quantity): Value {
  const unit = unitOf(quantity)
  if (quantity.comparator === undefined) return { type: 'NM', value: number(quantity), unit }
  return { type: 'SN', value: [quantity.comparator, number(quantity)], unit }
}

function unitOf(quantity: Quantity | undefined): FieldValue {
  const { unit, code, system } = quantity ?? {}
  return code === undefined ? unit : [code, unit === code ? undefined : unit, systemName(system)]
}

/** With every digit that the store has. */
const number = (quantity: Quantity | undefined): string | undefined =>
  quantity?.value === undefined ? undefined : String(quantity.value)

function rangeText(range: ObservationReferenceRange | undefined): string | undefined {
  if (range?.text !== undefined || range === undefined) return range?.text
  const [low, high] = [number(range.low), number(range.high)]
  if (low !== undefined && high !== undefined) return `${low}-${high}`
  return low === undefined ? (high === undefined ? undefined : `<${high}`) : `>${low}`
}
