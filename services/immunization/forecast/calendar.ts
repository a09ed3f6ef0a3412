/** A length of time as schedules give it: `6w`, `9m`, `4y`. */
export type Span = `${number}${'d' | 'w' | 'm' | 'y'}`

/** The day a span after a day, both YYYY-MM-DD. A month on from the 31st is the last day of the month. */
export function plus(day: string, span: Span): string {
  const count = Number.parseInt(span, 10)
  const date = new Date(`${day}T00:00:00Z`)
  if (span.endsWith('m')) return iso(addMonths(date, count))
  if (span.endsWith('y')) return iso(addMonths(date, count * 12))
  return iso(new Date(date.getTime() + count * (span.endsWith('w') ? 7 : 1) * dayMs))
}

export const latestOf = (first: string, ...days: readonly string[]): string =>
  days.reduce((latest, day) => (day > latest ? day : latest), first)

/** `6 weeks`, `1 year`. */
export function spanText(span: Span): string {
  const count = Number.parseInt(span, 10)
  const unit = { d: 'day', w: 'week', m: 'month', y: 'year' }[span.at(-1) ?? 'd'] ?? 'day'
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

const dayMs = 86_400_000

const iso = (date: Date) => date.toISOString().slice(0, 10)

function addMonths(date: Date, months: number): Date {
  const moved = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1))
  const lastDay = new Date(Date.UTC(moved.getUTCFullYear(), moved.getUTCMonth() + 1, 0)).getUTCDate()
  moved.setUTCDate(Math.min(date.getUTCDate(), lastDay))
  return moved
}
