import type { Dosage, DosageDoseAndRate, Quantity, Ratio, Timing } from '../../../packages/fhir/r4.ts'
import { readCwe, textOfCoded, type Segment } from '../../../packages/hl7/index.ts'
import { at, warnAt } from './at.ts'
import { compact } from './compact.ts'
import type { Draft } from './draft.ts'
import type { DrugFields } from './drug-fields.ts'
import { amountOf } from './dt/amount.ts'
import { cq, sentInPlace } from './dt/cq.ts'
import { unitOf } from './dt/rpt.ts'
import { readRxr } from './segments/rxr.ts'
import { type OrderTiming, readTq, readTq1, readTq1s, warnOfOthers } from './segments/tq1.ts'
import { ucum } from './terms.ts'

/** The segments that say how a drug is to be taken. */
export interface DosageSegments {
  /** RXE or RXO. */
  readonly drug: Segment
  readonly orc: Segment | undefined
  readonly tq1: readonly Segment[]
  readonly rxr: readonly Segment[]
}

export interface ReadDosage {
  readonly dosages: Dosage[]
  /** The elements of the order whose field was `""`. */
  readonly deletes: readonly string[]
  readonly priority?: OrderTiming['priority']
}

/** One dosage a time (TQ1; in older versions RXE-1 or ORC-7), each with dose and way. */
export function readDosage(segments: DosageSegments, fields: DrugFields, draft: Draft): ReadDosage {
  const { drug, rxr } = segments
  const timings = timingsOf(segments, draft)
  for (const other of rxr.slice(1)) {
    warnAt(at(draft, other, 1), 'not-kept', 'Another way to give the drug: only the first one is kept.')
  }
  const { way: said, deletes } = readRxr(rxr[0], draft)
  const { additionalInstruction, ...way } = said
  const doses = dosesOf(timings, doseAndRateOf(drug, fields, draft))
  const counts = countsOf(timings)
  const label = fields.dispensing === undefined ? undefined : prose(drug, fields.dispensing)
  const patientInstruction = prose(drug, fields.instructions)
  const maxDosePerPeriod = dailyDose(drug, fields, draft)
  const dosages = timings.map((timing, index) =>
    compact<Dosage>({
      sequence: timings.length > 1 ? index + 1 : undefined,
      text: linesOf([...unreadOf(doses[index], maxDosePerPeriod), counts[index], timing.instruction, label]),
      additionalInstruction: [...(additionalInstruction ?? []), ...concept(timing.condition)],
      patientInstruction,
      timing: timingOf(timing),
      asNeededBoolean: timing.isIfNeeded,
      ...way,
      doseAndRate: doses[index],
      maxDosePerPeriod,
    }),
  )
  const priority = timings.find((timing) => timing.priority !== undefined)?.priority
  return {
    dosages: dosages.filter((dosage) => dosage !== undefined),
    deletes: [...deletes, ...deletedOf(segments, fields)].map((part) => `dosageInstruction.${part}`),
    ...(priority === undefined ? {} : { priority }),
  }
}

/** What `""` removes of each dosage. */
function deletedOf({ drug, orc, tq1 }: DosageSegments, fields: DrugFields): readonly string[] {
  const isTimeless = isNull(tq1[0], 3) || (drug.name === 'RXE' && isNull(drug, 1)) || isNull(orc, 7)
  return [
    ...(isTimeless ? ['timing'] : []),
    ...(isNull(drug, fields.doseMin) ? ['doseAndRate.doseQuantity', 'doseAndRate.doseRange'] : []),
    ...(isNull(drug, fields.rate) ? ['doseAndRate.rateQuantity', 'doseAndRate.rateRatio'] : []),
    ...(isNull(drug, fields.instructions) ? ['patientInstruction'] : []),
    ...(isNull(drug, fields.dispensing) ? ['text'] : []),
    ...(isNull(drug, fields.dailyDose) ? ['maxDosePerPeriod'] : []),
  ]
}

export const isNull = (segment: Segment | undefined, field: number | undefined): boolean =>
  field !== undefined && segment?.rawField(field) === '""'

function timingsOf({ drug, orc, tq1 }: DosageSegments, draft: Draft): readonly OrderTiming[] {
  if (tq1.length > 0) return tq1.flatMap((segment) => timesOfTq1(segment, draft))
  const own = drug.name === 'RXE' ? timesOfTq(drug, 1, draft) : []
  const told = own.length > 0 || orc === undefined ? own : timesOfTq(orc, 7, draft)
  return told.length > 0 ? told : [{}]
}

/** A time for each pattern (TQ1-3), unless they share hours (4) or a count (14), which nobody could divide among them. */
function timesOfTq1(tq1: Segment, draft: Draft): OrderTiming[] {
  const patterns = tq1.repetitions(3).filter((part) => !part.isEmpty)
  if (patterns.length > 1 && tq1.text(4) === undefined && tq1.text(14) === undefined) return readTq1s(tq1, draft)
  warnOfOthers(tq1, 3, draft)
  return [readTq1(tq1, draft)]
}

function timesOfTq(segment: Segment, field: number, draft: Draft): OrderTiming[] {
  const times = segment
    .repetitions(field)
    .map((part, repetition) => readTq(part, at(draft, segment, field, repetition)))
  return times.filter((time) => Object.keys(time).length > 0)
}

/** Start and end, or the length, alone are the bounds of a timing that says nothing of how often. */
function timingOf({ timing, period, length }: OrderTiming): Timing | undefined {
  if (timing !== undefined) return timing
  if (period !== undefined) return { repeat: { boundsPeriod: period } }
  return length && { repeat: { boundsDuration: length } }
}

function doseAndRateOf(drug: Segment, fields: DrugFields, draft: Draft): DosageDoseAndRate | undefined {
  const low = amountOf(drug, fields.doseMin, fields.doseUnit, draft)
  const high = amountOf(drug, fields.doseMax, fields.doseUnit, draft)
  const isRange = low !== undefined && high !== undefined && Number(low.value) < Number(high.value)
  return compact<DosageDoseAndRate>({
    ...(isRange ? { doseRange: { low, high } } : { doseQuantity: unreadRange(low, high) ?? low ?? high }),
    ...rateOf(drug, fields, draft),
  })
}

/** From and to, where one of them is no number: the other alone would be another dose. */
function unreadRange(low: Quantity | undefined, high: Quantity | undefined): Quantity | undefined {
  if (low === undefined || high === undefined) return undefined
  const { extension: [sent] = [], ...unit } = sentInPlace(low) === undefined ? high : low
  if (sent === undefined) return undefined
  const { value: _other, ...unread } = unit
  return { extension: [{ ...sent, valueString: `${numberText(low)}-${numberText(high)}` }], ...unread }
}

/**
 * The dose of each of the times: TQ1-2, where the drug's segment says none or says it in the same unit. In another unit
 * (one tablet of 500 mg) it counts what the dose is of, unless it is what tells the steps of a course apart.
 */
function dosesOf(
  timings: readonly OrderTiming[],
  ofDrug: DosageDoseAndRate | undefined,
): (DosageDoseAndRate[] | undefined)[] {
  const { doseQuantity, doseRange, ...rate } = ofDrug ?? {}
  const isStepped = new Set(timings.map(({ quantity }) => quantity && amountText(quantity))).size > 1
  const isUndosed = doseQuantity === undefined && doseRange === undefined
  return timings.map(({ quantity }) => {
    // A number alone is how many of the doses: one, as a rule.
    const isDose =
      quantity?.unit !== undefined && (isUndosed || isStepped || unitText(quantity) === unitText(doseQuantity))
    if (isDose) return [{ doseQuantity: quantity, ...rate }]
    return ofDrug && [ofDrug]
  })
}

/** How many, where the times differ in it and no unit says of what, or it is no number: as it was sent, for people to read. */
function countsOf(timings: readonly OrderTiming[]): (string | undefined)[] {
  const counts = timings.map(({ quantity }) => (quantity?.unit === undefined ? quantity : undefined))
  const isDiffering = new Set(counts.filter((count) => count !== undefined).map(numberText)).size > 1
  return counts.map((count) =>
    count !== undefined && (isDiffering || sentInPlace(count) !== undefined)
      ? `Quantity: ${numberText(count)}`
      : undefined,
  )
}

/** What is to be taken and how fast, where it is no number: for people to read. */
function unreadOf([first]: readonly DosageDoseAndRate[] = [], atMost: Ratio | undefined): string[] {
  const { doseQuantity, rateQuantity, rateRatio } = first ?? {}
  const told = [
    ['Dose', doseQuantity, ''],
    ['Rate', rateQuantity, ''],
    ['Rate', rateRatio?.numerator, ` per ${amountText(rateRatio?.denominator ?? {})}`],
    ['Daily dose', atMost?.numerator, ''],
  ] as const
  return told.flatMap(([name, amount, rest]) =>
    amount === undefined || sentInPlace(amount) === undefined ? [] : [`${name}: ${amountText(amount)}${rest}`],
  )
}

const amountText = (amount: Quantity): string =>
  [numberText(amount), unitText(amount)].filter((part) => part !== undefined).join(' ')

/** As it was sent. */
const numberText = (amount: Quantity): string => sentInPlace(amount) ?? String(amount.value)

const unitText = (quantity: Quantity | undefined): string | undefined => quantity?.code ?? quantity?.unit

/** An amount in a time is a ratio; a unit that has the time in it (mL/h) says it alone. */
function rateOf(
  drug: Segment,
  fields: DrugFields,
  draft: Draft,
): Pick<DosageDoseAndRate, 'rateRatio' | 'rateQuantity'> {
  const rate = amountOf(drug, fields.rate, fields.rateUnit, draft)
  if (rate === undefined) return {}
  const per = (rate.code ?? rate.unit)?.includes('/') === true ? undefined : perTime(drug.text(fields.per))
  return per === undefined ? { rateQuantity: rate } : { rateRatio: { numerator: rate, denominator: per } }
}

/** `H1`, `H8`, `D`: a unit of time and how many of it. */
function perTime(text: string | undefined): Quantity | undefined {
  const match = /^([SMHDWL])(\d{0,4})$/i.exec(text?.trim() ?? '')
  const unit = unitOf(match?.[1])
  const value = Number(match?.[2] || 1)
  return unit === undefined || value === 0 ? undefined : time(value, unit)
}

function dailyDose(drug: Segment, fields: DrugFields, draft: Draft): Ratio | undefined {
  const numerator = cq(drug.part(fields.dailyDose), at(draft, drug, fields.dailyDose))
  return numerator && { numerator, denominator: time(1, 'd') }
}

const time = (value: number, unit: string): Quantity => ({ value, unit, system: ucum, code: unit })

/** Coded or not, instructions are for people to read. */
function prose(drug: Segment, field: number): string | undefined {
  const lines = drug.repetitions(field).map((part) => textOfCoded(readCwe(part)) ?? '')
  const joined = lines.filter((line) => line.trim() !== '').join('\n')
  return joined === '' ? undefined : joined
}

/** What the order says of taking it, and what the pharmacy adds: the patient needs both. */
const linesOf = (texts: readonly (string | undefined)[]): string | undefined =>
  [...new Set(texts.filter((text) => text !== undefined))].join('\n') || undefined

const concept = (text: string | undefined) => (text === undefined || text.trim() === '' ? [] : [{ text }])
