interface SparklineProps {
  /** What a listener should know: `Messages a minute over the last hour: lowest 12, highest 48, now 31`. */
  readonly text: string
  readonly values: readonly number[]
}

/** A small line without axes. It stretches with its place; the stroke does not. */
export function Sparkline({ text, values }: SparklineProps) {
  const points = pointsOf(values)
  const last = points.at(-1)
  if (last === undefined) return <p class="stat-detail">{text}</p>
  const line = points.map(({ x, y }) => `${x},${y}`).join(' ')
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a drawing in the page takes the page's colours
    <svg class="sparkline" viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" role="img" aria-label={text}>
      <polygon points={`${margin},${height} ${line} ${last.x},${height}`} />
      <polyline points={line} />
      {/* A line of no length with a round end is a dot that keeps its shape when the drawing is stretched. */}
      <path class="sparkline-now" d={`M${last.x} ${last.y}h0`} />
    </svg>
  )
}

const width = 120
const height = 32
const margin = 4

function pointsOf(values: readonly number[]): { x: number; y: number }[] {
  const lowest = Math.min(...values)
  const span = Math.max(...values) - lowest || 1
  const step = values.length > 1 ? (width - 2 * margin) / (values.length - 1) : 0
  return values.map((value, index) => ({
    x: rounded(margin + index * step),
    y: rounded(height - margin - ((value - lowest) / span) * (height - 2 * margin)),
  }))
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10
}
