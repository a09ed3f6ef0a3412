import type { CodeableConcept, Observation, ObservationComponent, Quantity } from '../../../../packages/fhir/r4.ts'
import { criticalFlags, type CriticalFlag } from '../../coordination/critical-flags.ts'

/** A result as a page tells it. */
export interface ResultText {
  /** What was measured: `Potassium`. */
  readonly what: string
  /** `6.8 mmol/L`; of several parts each with its name. */
  readonly value: string
  /** `critical high`, as its laboratory marks it. */
  readonly flag: string | undefined
  /** When it was true of the patient, as FHIR writes it. */
  readonly at: string | undefined
  /** What has become of it since, where it does not simply hold: `entered in error`. */
  readonly status: string | undefined
}

export function resultText(observation: Observation): ResultText {
  const { code, status, component = [], effectiveDateTime, effectivePeriod, effectiveInstant, issued } = observation
  const own = valueText(observation)
  const parts = component.map((part) => [nameOf(part.code), valueText(part), markOf(part)].filter(Boolean).join(' '))
  return {
    what: nameOf(code) ?? 'A result without a name',
    value: [own, ...parts].filter(Boolean).join(', ') || 'no value',
    flag: flagOf(observation),
    at: effectiveDateTime ?? effectiveInstant ?? effectivePeriod?.start ?? issued,
    status: status === 'final' ? undefined : status.replaceAll('-', ' '),
  }
}

/** As its sender calls it, else as its system does. */
const nameOf = (concept: CodeableConcept | undefined): string | undefined =>
  concept?.text ?? concept?.coding?.find(({ display }) => display !== undefined)?.display ?? concept?.coding?.[0]?.code

function valueText(part: Observation | ObservationComponent): string | undefined {
  const { valueQuantity, valueCodeableConcept, valueString, valueInteger, valueBoolean, valueRange, valueRatio } = part
  if (valueQuantity !== undefined) return [quantityText(valueQuantity), lackOf(valueQuantity)].filter(Boolean).join(' ')
  if (valueCodeableConcept !== undefined) return nameOf(valueCodeableConcept)
  if (valueRange !== undefined) return between([valueRange.low, valueRange.high], ' to ')
  if (valueRatio !== undefined) return between([valueRatio.numerator, valueRatio.denominator], ' : ')
  if (part.valuePeriod !== undefined) return `${part.valuePeriod.start ?? ''} to ${part.valuePeriod.end ?? ''}`.trim()
  if (part.valueSampledData !== undefined) return 'a series of points'
  const plain = valueString ?? valueInteger ?? valueBoolean ?? part.valueDateTime ?? part.valueTime
  return plain === undefined ? nameOf(part.dataAbsentReason) : String(plain)
}

const quantityText = ({ comparator, value, unit, code }: Quantity): string =>
  [`${comparator ?? ''}${value ?? ''}`, unitText(unit ?? code)].filter(Boolean).join(' ')

/** What has no dimension is of the unit 1 in UCUM, which beside a value would read as a part of it. */
const unitText = (unit: string | undefined): string | undefined => (unit === '1' ? undefined : unit)

/** A number alone may be of mmol or of mg: who reads it must not take it for the usual one. */
const lackOf = ({ value, unit, code }: Quantity): string | undefined =>
  value !== undefined && unit === undefined && code === undefined ? '(no unit given)' : undefined

const between = (quantities: readonly (Quantity | undefined)[], words: string): string =>
  quantities.map((quantity) => (quantity === undefined ? '' : quantityText(quantity))).join(words)

/** Of several parts of a result it is said which is the critical one. */
const markOf = (part: ObservationComponent): string | undefined => {
  const flag = flagOf(part)
  return flag === undefined ? undefined : `(${flag})`
}

const flagOf = (part: Pick<Observation, 'interpretation' | 'referenceRange'>): string | undefined => {
  const [flag] = criticalFlags(part)
  return flag && flags[flag]
}

const flags: Readonly<Record<CriticalFlag, string>> = {
  HH: 'critical high',
  LL: 'critical low',
  AA: 'critical abnormal',
}
