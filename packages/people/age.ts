import { timeRangeOf } from '../fhir/date.ts'

/** A person's age in the unit in which it is told. */
interface Age {
  /** Less than the count where a birth date or a death is not known to its day: somebody born in 1992 is 33 or 34. */
  readonly least: number
  readonly count: number
  readonly unit: Unit
}

type Unit = 'day' | 'week' | 'month' | 'year'

/**
 * As clinicians count it: days and weeks for the newborn, months below two years, then years. Either date is a day, a month
 * or a year; undefined where nobody of that birth date can have lived then.
 */
export function ageOf(birthDate: string, on: string): Age | undefined {
  const [born, then] = [daysOf(birthDate), daysOf(on)]
  if (born === undefined || then === undefined || born.first > then.last) return undefined
  const unit = unitOf(born.first, then.last)
  const count = countOf(unit, born.first, then.last)
  return { least: born.last > then.first ? 0 : countOf(unit, born.last, then.first), count, unit }
}

/** The same in words. */
export function ageIn(birthDate: string, at: Date | string): string | undefined {
  const age = ageOf(birthDate, typeof at === 'string' ? at : at.toISOString().slice(0, 10))
  if (age === undefined) return undefined
  const { least, count, unit } = age
  return least < count ? `${least}–${count} ${unit}s` : `${count} ${unit}${count === 1 ? '' : 's'}`
}

const dayMs = 86_400_000

function daysOf(date: string): { readonly first: Date; readonly last: Date } | undefined {
  const range = timeRangeOf(date)
  return range && { first: new Date(range.low), last: new Date(range.high - dayMs) }
}

function unitOf(born: Date, then: Date): Unit {
  const months = countOf('month', born, then)
  if (months >= 24) return 'year'
  if (months >= 3) return 'month'
  return countOf('day', born, then) >= 14 ? 'week' : 'day'
}

function countOf(unit: Unit, born: Date, then: Date): number {
  if (unit === 'day') return Math.floor((then.getTime() - born.getTime()) / dayMs)
  if (unit === 'week') return Math.floor(countOf('day', born, then) / 7)
  if (unit === 'year') return Math.floor(countOf('month', born, then) / 12)
  return (
    (then.getUTCFullYear() - born.getUTCFullYear()) * 12 +
    (then.getUTCMonth() - born.getUTCMonth()) -
    (then.getUTCDate() < born.getUTCDate() ? 1 : 0)
  )
}
