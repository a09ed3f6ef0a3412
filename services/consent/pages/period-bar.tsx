import { CalendarDate } from '../../../packages/views/components/time.tsx'
import type { ConsentRecord } from '../record/consent-record.ts'
import type { ConsentState } from './consent-state.ts'

/** The days that the drawings of a page span. */
export interface Span {
  readonly from: string
  readonly to: string
}

interface PeriodBarProps {
  readonly record: ConsentRecord
  readonly state: ConsentState
  readonly span: Span
  readonly today: string
  readonly dayOf: DayOf
}

/** The day of an instant where the exchange is. */
export type DayOf = (instant: Date) => string

/** When a consent held or holds, on the same scale as all others: solid permits, dashed refuses; the mark is today. */
export function PeriodBar({ record, state, span, today, dayOf }: PeriodBarProps) {
  const start = share(record.periodStart ?? dayOf(record.createdAt), span)
  const end = share(endOf(record, dayOf) ?? span.to, span)
  const now = `${share(today, span)}%`
  const dashes = record.provisionType === 'deny' ? { 'stroke-dasharray': '3 4' } : {}
  const isFaint = state === 'ended' || state === 'revoked'
  return (
    <svg height="16" width="100%" aria-hidden="true">
      <rect class="bar-track" y="3" width="100%" height="10" rx="5" />
      <line
        x1={`${start}%`}
        x2={`${Math.max(end, start + 0.8)}%`}
        y1="8"
        y2="8"
        stroke="var(--tone)"
        stroke-width="10"
        stroke-opacity={isFaint ? 0.45 : 1}
        {...dashes}
      />
      <line x1={now} x2={now} y1="0" y2="16" stroke="var(--ink)" stroke-width="2" />
    </svg>
  )
}

/** What the bars of a page mean. */
export function PeriodLegend({ span }: { readonly span: Span }) {
  return (
    <p class="facts">
      <span>
        The bars run from <CalendarDate date={span.from} /> to <CalendarDate date={span.to} />; the mark is today.
      </span>
      <span>Solid permits, dashed refuses.</span>
    </p>
  )
}

/** From the first day of any record to a while past today and the last end, so that what goes on is seen to go on. */
export function spanOf(records: readonly ConsentRecord[], today: string, dayOf: DayOf): Span {
  const starts = records.map(({ periodStart, createdAt }) => periodStart ?? dayOf(createdAt))
  const horizon = String(Number(today.slice(0, 4)) + yearsAheadMax)
  const ends = records.flatMap(({ periodEnd }) => (periodEnd !== null && periodEnd < horizon ? [periodEnd] : []))
  const from = [...starts, today].toSorted()[0] ?? today
  const last = [...ends, today].toSorted().at(-1) ?? today
  const margin = Math.max(30 * dayMs, (Date.parse(last) - Date.parse(from)) * 0.1)
  return { from, to: new Date(Date.parse(last) + margin).toISOString().slice(0, 10) }
}

/** Who writes the year 9999 means no end. Drawn to scale, it would leave nothing to see of all that is nearer. */
const yearsAheadMax = 20

function endOf({ revokedAt, periodEnd }: ConsentRecord, dayOf: DayOf): string | null {
  const revoked = revokedAt === null ? null : dayOf(revokedAt)
  return revoked === null || (periodEnd !== null && periodEnd < revoked) ? periodEnd : revoked
}

const dayMs = 86_400_000

function share(day: string, { from, to }: Span): number {
  const whole = Date.parse(to) - Date.parse(from)
  const part = whole <= 0 ? 0 : Math.min((Date.parse(day) - Date.parse(from)) / whole, 1)
  return Math.round(part * 1_000) / 10
}
