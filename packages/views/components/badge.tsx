import type { ComponentChildren } from 'preact'
import { classNames } from './class-names.ts'
import type { Tone } from './tone.ts'

interface MarkProps {
  readonly children: ComponentChildren
  readonly tone?: Tone
}

/** A word about a thing that stays as it is: `Self-reported`, `POST`, `R4`. */
export function Badge({ children, tone = 'neutral' }: MarkProps) {
  return <span class={classNames('badge', tone)}>{children}</span>
}

/** The state that a thing is in at the moment: `Overdue`, `Completed`, `Open`. */
export function StatusPill({ children, tone = 'neutral' }: MarkProps) {
  return <span class={classNames('pill', tone)}>{children}</span>
}
