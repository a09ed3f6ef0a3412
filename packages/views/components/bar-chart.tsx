import { classNames } from './class-names.ts'
import type { Tone } from './tone.ts'

interface Bar {
  readonly label: string
  readonly value: number
  /** The value in words, where the bare number is not enough: `1.2 s`. */
  readonly words?: string
  readonly tone?: Tone
}

/** Bars beside their words: the drawing repeats the numbers, so a listener misses nothing. */
export function BarChart({ label, bars }: { readonly label: string; readonly bars: readonly Bar[] }) {
  const longest = Math.max(...bars.map(({ value }) => value), 0)
  return (
    <ul class="bar-chart" aria-label={label}>
      {bars.map(({ label: name, value, words, tone = 'neutral' }) => (
        <li key={name} class={classNames(tone)}>
          <span class="bar-label">{name}</span>
          <svg height="10" width="100%" aria-hidden="true">
            <rect class="bar-track" width="100%" height="10" rx="5" />
            <rect class="bar" width={shareOf(value, longest)} height="10" rx="5" />
          </svg>
          <span class="bar-value">{words ?? value}</span>
        </li>
      ))}
    </ul>
  )
}

function shareOf(value: number, longest: number): string {
  return longest <= 0 ? '0%' : `${Math.round((Math.max(value, 0) / longest) * 1000) / 10}%`
}
