import type { ComponentChildren } from 'preact'
import { classNames } from './class-names.ts'
import type { Tone } from './tone.ts'

interface StatCardProps {
  readonly label: string
  readonly value: string | number
  readonly unit?: string
  readonly detail?: ComponentChildren
  readonly tone?: Tone
  readonly href?: string
  /** A sparkline, usually. */
  readonly children?: ComponentChildren
}

export function StatCard({ label, value, unit, detail, tone = 'neutral', href, children }: StatCardProps) {
  return (
    <div class={classNames('card', 'stat', tone)}>
      <p class="stat-label">{href === undefined ? label : <a href={href}>{label}</a>}</p>
      <p class="stat-value">
        {value}
        {unit !== undefined && <span class="stat-unit"> {unit}</span>}
      </p>
      {detail !== undefined && <p class="stat-detail">{detail}</p>}
      {children}
    </div>
  )
}
