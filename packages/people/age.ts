/** A person's age in the unit in which it is told. */
interface Age {
  readonly count: number
  readonly unit: 'day' | 'week' | 'month' | 'year'
}

/** As clinicians count it: days and weeks for the newborn, months below two years, then years. */
export function ageOf(birthDate: string, now: Date): Age | undefined {
  const born = new Date(birthDate)
  const days = Math.floor((now.getTime() - born.getTime()) / 86_400_000)
  if (Number.isNaN(days) || days < 0) return undefined
  const months =
    (now.getUTCFullYear() - born.getUTCFullYear()) * 12 +
    (now.getUTCMonth() - born.getUTCMonth()) -
    (now.getUTCDate() < born.getUTCDate() ? 1 : 0)
  if (months >= 24) return { count: Math.floor(months / 12), unit: 'year' }
  if (months >= 3) return { count: months, unit: 'month' }
  return days >= 14 ? { count: Math.floor(days / 7), unit: 'week' } : { count: days, unit: 'day' }
}

/** The same in words. */
export function ageIn(birthDate: string, now: Date): string | undefined {
  const age = ageOf(birthDate, now)
  return age && `${age.count} ${age.unit}${age.count === 1 ? '' : 's'}`
}
