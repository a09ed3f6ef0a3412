export interface TimeProps {
  /** An instant in ISO 8601, UTC. */
  readonly at: string | Date
  readonly precision?: 'minute' | 'second'
}

/** An instant: written in UTC by the server, shown in the reader's zone by `local-time.js`, exact on hover. */
export function Time({ at, precision = 'minute' }: TimeProps) {
  const instant = new Date(at)
  if (Number.isNaN(instant.getTime())) return <span>{String(at)}</span>
  const iso = instant.toISOString()
  return (
    <time class="nowrap" dateTime={iso} title={iso} data-precision={precision}>
      {utc[precision].format(instant)} UTC
    </time>
  )
}

/** A day as it was recorded, FHIR's partial dates included; it belongs to no zone and is never shifted. */
export function CalendarDate({ date }: { readonly date: string }) {
  return (
    <time class="nowrap" dateTime={date}>
      {inWords(date)}
    </time>
  )
}

const inUtc = { timeZone: 'UTC', day: 'numeric', month: 'short', year: 'numeric' } as const
const clockTime = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const

const utc = {
  minute: new Intl.DateTimeFormat('en-GB', { ...inUtc, ...clockTime }),
  second: new Intl.DateTimeFormat('en-GB', { ...inUtc, ...clockTime, second: '2-digit' }),
}

const partialDates: readonly [RegExp, Intl.DateTimeFormat][] = [
  [/^\d{4}-\d{2}-\d{2}$/, new Intl.DateTimeFormat('en-GB', inUtc)],
  [/^\d{4}-\d{2}$/, new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', month: 'short', year: 'numeric' })],
]

function inWords(date: string): string {
  const format = partialDates.find(([shape]) => shape.test(date))?.[1]
  const day = new Date(date)
  return format === undefined || Number.isNaN(day.getTime()) ? date : format.format(day)
}
