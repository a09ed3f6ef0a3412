import type { Observation, Quantity } from '../../../../packages/fhir/r4.ts'
import {
  readCwe,
  readNm,
  readNr,
  readRange,
  readSn,
  readTime,
  textOfCoded,
  type Coded,
  type Part,
  type Segment,
  type StructuredNumber,
} from '../../../../packages/hl7/index.ts'
import { type At, at, warnAt } from '../at.ts'
import { compact } from '../compact.ts'
import type { Draft } from '../draft.ts'
import { decimal, quantity } from '../dt/cq.ts'
import { cwe } from '../dt/cwe.ts'
import { dateTime, periodOf } from '../dt/ts.ts'
import { unitOf } from './obx-unit.ts'

/** The value of an Observation or of one of its components: one member of the choice. */
export type ObservationValue = Pick<
  Observation,
  | 'valueQuantity'
  | 'valueCodeableConcept'
  | 'valueString'
  | 'valueRange'
  | 'valueRatio'
  | 'valueSampledData'
  | 'valueTime'
  | 'valueDateTime'
  | 'valuePeriod'
>

type ValueRule = (part: Part, place: At, unit: Coded | undefined) => ObservationValue | undefined

/** OBX-2 to value[x]. What R4 has no value for (names, addresses, identifiers) is a text; ED and RP are documents. */
const valueRules: Readonly<Record<string, ValueRule>> = {
  NM: number,
  SI: number,
  MO: money,
  SN: structuredNumber,
  CQ: (part, place, unit) => number(part.part(1) ?? part, place, readCwe(part.part(2)) ?? unit),
  ST: text,
  TX: text,
  FT: text,
  GTS: text,
  VR: text,
  CE: coded,
  CWE: coded,
  CNE: coded,
  CF: coded,
  IS: coded,
  ID: coded,
  DT: day,
  DTM: day,
  TS: day,
  TM: (part) => {
    const valueTime = readTime(part)
    return valueTime === undefined ? undefined : { valueTime }
  },
  DR: (part, place) => {
    const { start, end } = readRange(part) ?? {}
    const valuePeriod = periodOf(start, end, place)
    return valuePeriod && { valuePeriod }
  },
  NR: (part, place, unit) => {
    const { low, high } = readNr(part) ?? {}
    return range(low, high, unit, place)
  },
  NA: series,
  MA: series,
}

/** One value of OBX-5. What cannot be read as its type is kept as the text that it is, with a warning. */
export function valueOf(obx: Segment, part: Part, place: At): ObservationValue | undefined {
  if (part.isEmpty || part.isNull) return undefined
  const type = obx.text(2)?.trim().toUpperCase() ?? ''
  const rule = Object.hasOwn(valueRules, type) ? valueRules[type] : undefined
  const unit = unitOf(obx, place.draft)
  const value = (rule ?? inWords)(part, place, unit)
  if (value !== undefined) return value
  const said = part.whole.trim()
  if (said === '') return undefined
  warnAt(place, 'bad-value', `The value is no ${type}; it was kept as text.`)
  return { valueString: withUnit(said, unit) }
}

/** All repetitions of a text, as its lines. */
export function linesOf(obx: Segment): string[] {
  return obx.repetitions(5).map((part) => part.whole)
}

/** Where a value stands. */
export const valuePlace = (obx: Segment, repetition: number, draft: Draft): At => at(draft, obx, 5, repetition)

function number(part: Part, place: At, unit: Coded | undefined): ObservationValue | undefined {
  const value = readNm(part)
  return value === undefined ? comparison(part, place, unit) : { valueQuantity: quantity(value, unit, place) }
}

/** `<0.5` in a number's place: what laboratories write for a result off the scale. */
function comparison(part: Part, place: At, unit: Coded | undefined): ObservationValue | undefined {
  const match = /^(<=?|>=?)\s*(\d{1,15}(?:\.\d{1,15})?)$/.exec(part.text(1)?.trim() ?? '')
  if (match === null || part.count > 1) return undefined
  return { valueQuantity: compared(match[1], quantity(plain(match[2] ?? ''), unit, place)) }
}

function structuredNumber(part: Part, place: At, unit: Coded | undefined): ObservationValue | undefined {
  if (part.count === 1) return number(part, place, unit)
  const read = readSn(part) ?? {}
  if (isAllOf(part, read)) return numberOf(read, unit, place) ?? inWords(part, place, unit)
  warnAt(place, 'bad-value', 'The value is no SN; it was kept as text.')
  return inWords(part, place, unit)
}

/** What has no value of its own: its components as one readable line. */
function inWords(part: Part, _place: At, unit: Coded | undefined): ObservationValue | undefined {
  const pieces = Array.from({ length: part.count }, (_, index) => part.part(index + 1)?.whole.trim() ?? '')
  const said = pieces.filter((piece) => piece !== '').join(' ')
  return said === '' ? undefined : { valueString: withUnit(said, unit) }
}

/**
 * A text has no unit beside it (OBX-6), so it stands in the text: `6,8` of what? Words (`negative`) and texts of several lines are of
 * no unit, and some senders write it in the text themselves. Among words a number may be of something else: `again in 2 days`.
 */
export function withUnit(said: string, unit: Coded | undefined): string {
  const name = textOfCoded(unit)?.trim() ?? ''
  const isOfUnit = name !== '' && /\d/.test(said) && !said.includes('\n') && !isNamedIn(said, name)
  if (!isOfUnit) return said
  return /\p{L}{2}/u.test(said) ? `${said} (unit: ${name})` : `${said} ${name}`
}

function isNamedIn(said: string, unit: string): boolean {
  const from = said.toLowerCase().lastIndexOf(unit.toLowerCase())
  const [before, behind] = [said[from - 1] ?? '', said[from + unit.length] ?? '']
  return from >= 0 && !/\p{L}/u.test(before) && !/\p{L}/u.test(behind)
}

/** What R4 has a value for. A titre below 1:10 is none: which of its two numbers is smaller, a Ratio cannot say. */
function numberOf(
  { comparator, first, separator, second }: StructuredNumber,
  unit: Coded | undefined,
  place: At,
): ObservationValue | undefined {
  if (separator === undefined) {
    if (comparator === '<>' || first === undefined || second !== undefined) return undefined
    return { valueQuantity: compared(comparator, quantity(first, unit, place)) }
  }
  if (comparator !== undefined && comparator !== '=') return undefined
  if (separator === '-') return range(first, second, unit, place)
  if ((separator !== ':' && separator !== '/') || first === undefined || second === undefined) return undefined
  return { valueRatio: { numerator: quantity(first, unit, place), denominator: { value: decimal(second) } } }
}

/** Whether each component that says something was read: a sign that nobody knows may turn the number round. */
function isAllOf(part: Part, read: StructuredNumber): boolean {
  const sent = Array.from({ length: part.count }, (_, index) => part.text(index + 1)?.trim() ?? '')
  return sent.filter((said) => said !== '').length === Object.values(read).filter((value) => value !== undefined).length
}

/** `=` is what a quantity without comparator means. */
function compared(comparator: string | undefined, value: Quantity): Quantity {
  const isCode = comparator === '<' || comparator === '<=' || comparator === '>' || comparator === '>='
  return isCode ? { ...value, comparator } : value
}

function range(
  low: string | undefined,
  high: string | undefined,
  unit: Coded | undefined,
  place: At,
): ObservationValue | undefined {
  const isOrdered = low === undefined || high === undefined || Number(low) <= Number(high)
  const valueRange = isOrdered
    ? compact<NonNullable<Observation['valueRange']>>({
        low: low === undefined ? undefined : quantity(low, unit, place),
        high: high === undefined ? undefined : quantity(high, unit, place),
      })
    : undefined
  return valueRange && { valueRange }
}

function money(part: Part): ObservationValue | undefined {
  const value = readNm(part.part(1))
  const code = part.text(2)?.trim()
  if (value === undefined) return undefined
  return { valueQuantity: { value: decimal(value), ...(code === undefined ? {} : { unit: code }) } }
}

function text(part: Part, _place: At, unit: Coded | undefined): ObservationValue | undefined {
  const said = part.whole.trimEnd()
  return said.trim() === '' ? undefined : { valueString: withUnit(said, unit) }
}

/** A code; a text in a code's place is a text. */
function coded(part: Part, place: At): ObservationValue | undefined {
  const valueCodeableConcept = cwe(part, place)
  return valueCodeableConcept && { valueCodeableConcept }
}

function day(part: Part, place: At): ObservationValue | undefined {
  const valueDateTime = dateTime(part, place)
  return valueDateTime === undefined ? undefined : { valueDateTime }
}

/** NA: numbers in components; an empty one is a point that was not measured. */
function series(part: Part, _place: At, unit: Coded | undefined): ObservationValue | undefined {
  const points = Array.from({ length: part.count }, (_, index) => part.part(index + 1))
  const data = points.map((point) => (point === undefined || point.isEmpty ? 'E' : readNm(point)))
  if (data.length === 0 || data.includes(undefined)) return undefined
  const name = unit?.codes?.[0]?.code
  return {
    valueSampledData: {
      origin: { value: 0, ...(name === undefined ? {} : { unit: name }) },
      period: 0,
      dimensions: 1,
      data: data.join(' '),
    },
  }
}

const plain = (digits: string): string => digits.replace(/^0+(?=\d)/, '')
