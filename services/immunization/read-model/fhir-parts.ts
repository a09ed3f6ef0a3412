import type { BackboneElement, CodeableConcept, Coding } from '../../../packages/fhir/r4.ts'
import { isDay } from '../../../packages/http/formats.ts'
import { cvxSystem, systemNamed, type VaccineCoding } from '../forecast/vaccine-codes.ts'

export interface VaccineName {
  readonly vaccineCode: string | null
  readonly vaccineName: string | null
  readonly vaccineSystem: string | null
}

/** The CVX coding if there is one, else the first; named by its display, else the text, else the code. */
export function vaccineOf(concepts: readonly CodeableConcept[]): VaccineName {
  const concept = concepts.find(({ coding = [] }) => coding.some(isCvx)) ?? concepts.at(0)
  const coding = concept?.coding?.find(isCvx) ?? concept?.coding?.at(0)
  const system = filled(coding?.system)
  return {
    vaccineCode: filled(coding?.code),
    vaccineName: filled(coding?.display) ?? filled(concept?.text) ?? filled(coding?.code),
    vaccineSystem: system === null ? null : systemNamed(system),
  }
}

const isCvx = ({ system }: Coding) => system !== undefined && systemNamed(system) === cvxSystem

/** Every code with its system, as the forecast may look for one that it knows. */
export const codesOf = ({ coding = [] }: CodeableConcept): readonly VaccineCoding[] =>
  coding.flatMap(({ system, code }) => (system === undefined || code === undefined ? [] : [{ system, code }]))

/** A concept in words. */
export const wordsOf = (concept: CodeableConcept | undefined): string | null =>
  filled(concept?.coding?.find(({ display }) => filled(display) !== null)?.display) ?? filled(concept?.text)

/** A number or a text, as text. */
export const countOf = (number: number | undefined, text: string | undefined): string | null =>
  number === undefined ? filled(text) : String(number)

export type Precision = 'day' | 'month' | 'year'

/**
 * The written day of a FHIR dateTime, never moved by a zone; a year or a month is padded to its first day. A day that no
 * calendar has, which some stores keep, is not known.
 */
export function dayOf(
  written: string | undefined,
): { readonly day: string; readonly precision: Precision } | undefined {
  const [, year, month, day] = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?(?:T|$)/.exec(written ?? '') ?? []
  if (year === undefined) return undefined
  const precision = day !== undefined ? 'day' : month !== undefined ? 'month' : 'year'
  const padded = `${year}-${month ?? '01'}-${day ?? '01'}`
  return isDay(padded) ? { day: padded, precision } : undefined
}

/** What is known of a padded day: a year, a month or the day itself. */
export const knownOf = (day: string, precision: Precision | null): string =>
  day.slice(0, { day: 10, month: 7, year: 4 }[precision ?? 'day'])

/** R4: whoever does not understand such an extension does not know what the element says. */
export const isQualified = ({ modifierExtension = [] }: Pick<BackboneElement, 'modifierExtension'>): boolean =>
  modifierExtension.length > 0

/** Texts that say nothing are none. */
export const filled = (text: string | undefined): string | null =>
  text === undefined || text.trim() === '' ? null : text
