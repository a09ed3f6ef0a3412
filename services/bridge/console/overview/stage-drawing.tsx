import { classNames } from '../../../../packages/views/components/class-names.ts'
import type { BreakerState } from '../../breakers/circuit-breaker.ts'
import { drawingInWords, type DrawnStage, type Plate } from './stage-model.ts'

/** The seven stages with their breakers and queues: beside each other, and below each other on a narrow screen. */
export function StageDrawing({ stages }: { readonly stages: readonly DrawnStage[] }) {
  return (
    <>
      <Drawing stages={stages} layout={beside} />
      <Drawing stages={stages} layout={below} />
    </>
  )
}

interface Layout {
  readonly name: string
  readonly box: { readonly width: number; readonly height: number }
  readonly plate: { readonly width: number; readonly height: number }
  /** Where the box of each stage begins, and the size of the whole. */
  readonly place: (stages: readonly DrawnStage[]) => { readonly corners: readonly Point[]; readonly size: Point }
  /** The line from one box to the next. */
  readonly link: (from: Point, to: Point) => string
  /** Where a plate lies from its stage’s corner, where its line leaves the stage and where the switch begins. */
  readonly plateAt: (index: number) => Point
  readonly stem: (index: number) => string
}

interface Point {
  readonly x: number
  readonly y: number
}

const switchLength = 26

const beside: Layout = {
  name: 'beside',
  box: { width: 146, height: 62 },
  plate: { width: 112, height: 44 },
  place: (stages) => {
    const rows = Math.max(...stages.map(({ plates }) => plates.length))
    const corners = stages.map((_, index) => ({ x: 1 + index * 164, y: 1 }))
    return { corners, size: { x: 6 * 164 + 148, y: 64 + rows * 58 } }
  },
  link: (from, to) => `M${from.x + 146} ${from.y + 31}H${to.x}`,
  plateAt: (index) => ({ x: 8 + switchLength, y: 76 + index * 58 }),
  stem: (index) => `M8 62V${98 + index * 58}`,
}

const below: Layout = {
  name: 'below',
  box: { width: 142, height: 62 },
  plate: { width: 142, height: 48 },
  place: (stages) => {
    const heights = stages.map(({ plates }) => Math.max(62, plates.length * 58 - 10) + 22)
    const corners = heights.map((_, index) => ({ x: 1, y: 1 + heights.slice(0, index).reduce((a, b) => a + b, 0) }))
    return { corners, size: { x: 326, y: heights.reduce((a, b) => a + b, 0) - 20 } }
  },
  link: (from, to) => `M${from.x + 30} ${from.y + 62}V${to.y}`,
  plateAt: (index) => ({ x: 156 + switchLength, y: 7 + index * 58 }),
  stem: (index) => `M142 31H156V${31 + index * 58}`,
}

function Drawing({ stages, layout }: { readonly stages: readonly DrawnStage[]; readonly layout: Layout }) {
  const { corners, size } = layout.place(stages)
  const links = corners.slice(1).map((to, index) => layout.link(corners[index] ?? to, to))
  return (
    <svg
      class={classNames('stages', `stages-${layout.name}`)}
      viewBox={`0 0 ${size.x} ${size.y}`}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a drawing in the page takes the page's colours
      role="img"
      aria-label={drawingInWords(stages)}
    >
      <path class="stage-line" d={links.join('')} />
      {stages.map((stage, index) => (
        <StageMark
          key={stage.name}
          stage={stage}
          number={index + 1}
          at={corners[index] ?? { x: 0, y: 0 }}
          layout={layout}
        />
      ))}
    </svg>
  )
}

interface StageMarkProps {
  readonly stage: DrawnStage
  readonly number: number
  readonly at: Point
  readonly layout: Layout
}

function StageMark({ stage, number, at, layout }: StageMarkProps) {
  const { box, plate: size } = layout
  return (
    <g transform={`translate(${at.x} ${at.y})`}>
      {stage.plates.map((plate, index) => {
        const { x, y } = layout.plateAt(index)
        return (
          <g key={plate.label} class={plate.tone}>
            <path class="stage-line" d={layout.stem(index)} />
            <Switch at={{ x: x - switchLength, y: y + size.height / 2 }} state={plate.breaker} />
            <PlateMark plate={plate} at={{ x, y }} size={size} />
          </g>
        )
      })}
      <rect class="stage-box" width={box.width} height={box.height} rx="10" />
      <text class="stage-name" x="14" y="27">
        {number} {stage.name}
      </text>
      <text class="stage-figure" x="14" y="47">
        {stage.figure}
      </text>
    </g>
  )
}

function PlateMark({ plate, at, size }: { readonly plate: Plate; readonly at: Point; readonly size: Layout['plate'] }) {
  const middle = at.y + size.height / 2
  return (
    <>
      <rect class="stage-plate" x={at.x} y={at.y} width={size.width} height={size.height} rx="8" />
      <text class="plate-name" x={at.x + 10} y={middle - 4}>
        {plate.label}
      </text>
      <text class="plate-words" x={at.x + 10} y={middle + 13}>
        {plate.words}
      </text>
    </>
  )
}

/** Closed it lets through, open it does not; half-open it is tried. What has no breaker hangs on a plain line. */
function Switch({ at: { x, y }, state }: { readonly at: Point; readonly state: BreakerState | undefined }) {
  if (state === undefined) return <path class="stage-line" d={`M${x} ${y}h${switchLength}`} />
  return (
    <>
      <path class="stage-switch" d={`M${x} ${y}h6M${x + 20} ${y}h6M${x + 6} ${y}${blades[state]}`} />
      <circle class="stage-pole" cx={x + 6} cy={y} r="2.5" />
      <circle class="stage-pole" cx={x + 20} cy={y} r="2.5" />
    </>
  )
}

const blades: Readonly<Record<BreakerState, string>> = { CLOSED: 'h14', 'HALF-OPEN': 'l13 -5', OPEN: 'l11 -10' }
