import type { Timing, TimingRepeat } from '../../../../packages/fhir/r4.ts'
import { readCwe, type Coded, type Part } from '../../../../packages/hl7/index.ts'
import type { At } from '../at.ts'
import { rowOf } from '../code-map.ts'
import { compact } from '../compact.ts'
import { repeatPattern } from '../v/0335-repeat-pattern.ts'
import { conceptOf } from './cwe.ts'

/** RPT (and RI.1 of older versions): the pattern with its code, and how often it means where that can be said. */
export function rpt(part: Part | undefined, place: At): Timing | undefined {
  const read = readPattern(part)
  const pattern = read?.codes?.[0]?.code?.trim()
  if (part === undefined || pattern === undefined) return undefined
  return compact<Timing>({ repeat: repeatOf(part, pattern), code: conceptOf(read, place, '0335') })
}

/** Whether the pattern says `if needed`, alone or beside how often at most: `PRN`, `PRNQ6H`, `Q6H PRN`. */
export const isIfNeeded = (part: Part | undefined): boolean =>
  ifNeeded.test(readPattern(part)?.codes?.[0]?.code?.trim() ?? '')

const readPattern = (part: Part | undefined): Coded | undefined => readCwe(part?.part(1) ?? part)
const ifNeeded = /^PRN|PRN$/i

/** The quantity and unit of RPT.5 and 6, else what the code itself says. */
function repeatOf(part: Part, pattern: string): TimingRepeat | undefined {
  const period = Number(part.text(5)?.trim() ?? '')
  const periodUnit = unitOf(part.text(6))
  if (period > 0 && period < 10_000 && periodUnit !== undefined) return { frequency: 1, period, periodUnit }
  const often = pattern.replace(ifNeeded, '').trim()
  return everyUnit(often) ?? rowOf(repeatPattern, often)
}

/** `Q6H`: every six hours. Seconds, minutes, hours, days, weeks, and L for months. */
function everyUnit(pattern: string): TimingRepeat | undefined {
  const match = /^Q(\d{1,3})([SMHDWL])$/i.exec(pattern)
  const period = Number(match?.[1])
  const periodUnit = unitOf(match?.[2])
  return match === null || period === 0 || periodUnit === undefined ? undefined : { frequency: 1, period, periodUnit }
}

/** The units of time that a Timing takes, by the words that senders use for them. */
export function unitOf(sent: string | undefined): TimingRepeat['periodUnit'] {
  const word = sent?.trim().toUpperCase() ?? ''
  return Object.hasOwn(units, word) ? units[word] : undefined
}

const units: Readonly<Record<string, NonNullable<TimingRepeat['periodUnit']>>> = {
  S: 's',
  SEC: 's',
  SECONDS: 's',
  M: 'min',
  MIN: 'min',
  MINUTES: 'min',
  H: 'h',
  HR: 'h',
  HRS: 'h',
  HOUR: 'h',
  HOURS: 'h',
  D: 'd',
  DAY: 'd',
  DAYS: 'd',
  W: 'wk',
  WK: 'wk',
  WEEK: 'wk',
  WEEKS: 'wk',
  L: 'mo',
  MO: 'mo',
  MON: 'mo',
  MONTH: 'mo',
  MONTHS: 'mo',
  A: 'a',
  YR: 'a',
  YEAR: 'a',
  YEARS: 'a',
}
