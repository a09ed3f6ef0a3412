import type { ComponentChildren } from 'preact'
import { classNames } from './class-names.ts'
import { Time } from './time.tsx'
import type { Tone } from './tone.ts'

interface TimelineEvent {
  readonly at: string | Date
  readonly title: ComponentChildren
  readonly detail?: ComponentChildren
  readonly tone?: Tone
}

export function Timeline({ label, events }: { readonly label: string; readonly events: readonly TimelineEvent[] }) {
  return (
    <ol class="timeline" aria-label={label}>
      {events.map(({ at, title, detail, tone = 'neutral' }, index) => (
        <li key={index} class={classNames(tone)}>
          <p class="timeline-title">{title}</p>
          <p class="timeline-time">
            <Time at={at} />
          </p>
          {detail !== undefined && <div class="timeline-detail">{detail}</div>}
        </li>
      ))}
    </ol>
  )
}
