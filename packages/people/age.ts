/** As clinicians say it: days and weeks for the newborn, months below two years, then years. */
export function ageIn(birthDate: string, now: Date): string | undefined {
  const born = new Date(birthDate)
  const days = Math.floor((now.getTime() - born.getTime()) / 86_400_000)
  if (Number.isNaN(days) || days < 0) return undefined
  const months =
    (now.getUTCFullYear() - born.getUTCFullYear()) * 12 +
    (now.getUTCMonth() - born.getUTCMonth()) -
    (now.getUTCDate() < born.getUTCDate() ? 1 : 0)
  if (months >= 24) return counted(Math.floor(months / 12), 'year')
  if (months >= 3) return counted(months, 'month')
  return days >= 14 ? counted(Math.floor(days / 7), 'week') : counted(days, 'day')
}

const counted = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? '' : 's'}`
