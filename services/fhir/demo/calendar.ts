/** Days and moments counted back from today, so that what is due stays due whenever the demo is started. */
export interface Calendar {
  /** `2026-03-04`; negative days are in the future. */
  daysAgo(days: number): string
  /** With a time of day in UTC. */
  momentDaysAgo(days: number, hour?: number): string
}

const dayMs = 86_400_000

export function calendarOf(now: Date): Calendar {
  const today = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate())
  const daysAgo = (days: number) => new Date(today - days * dayMs).toISOString().slice(0, 10)
  return {
    daysAgo,
    momentDaysAgo: (days, hour = 9) => `${daysAgo(days)}T${String(hour).padStart(2, '0')}:00:00Z`,
  }
}
