import type { Calendar } from './calendar.ts'
import type { Dose } from './dose.ts'
import type { Vaccine } from './vaccines.ts'

/** The routine schedule of infancy: vaccine, dose, and weeks after birth. */
export const routineSchedule: readonly (readonly [vaccine: Vaccine, number: number, weeks: number])[] = [
  ['bcg', 1, 0],
  ['hepatitisB', 1, 0],
  ['pentavalent', 1, 6],
  ['pneumococcal', 1, 6],
  ['rotavirus', 1, 6],
  ['pentavalent', 2, 10],
  ['pneumococcal', 2, 10],
  ['rotavirus', 2, 10],
  ['pentavalent', 3, 14],
  ['pneumococcal', 3, 14],
  ['polio', 1, 14],
  ['measlesRubella', 1, 39],
  ['yellowFever', 1, 39],
  ['polio', 2, 39],
  ['measlesRubella', 2, 65],
  ['meningitisA', 1, 65],
]

/** What was given so far, a few days late each time. */
export function childDoses(birthDate: string, calendar: Calendar): Dose[] {
  const today = calendar.daysAgo(0)
  return routineSchedule
    .map(([vaccine, number, weeks]) => ({ vaccine, number, on: weeksAfter(birthDate, weeks, number + 1) }))
    .filter(({ on }) => on < today)
}

export function weeksAfter(date: string, weeks: number, days = 0): string {
  const moment = Date.parse(`${date}T00:00:00Z`) + (weeks * 7 + days) * 86_400_000
  return new Date(moment).toISOString().slice(0, 10)
}
