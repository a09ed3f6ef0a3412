import { Card } from '../../../packages/views/components/card.tsx'
import { classNames } from '../../../packages/views/components/class-names.ts'
import type { PatientRecord } from '../read-model/patient-record.ts'
import { useWords, type Words } from '../words/words.ts'
import { timelineOf, type Lane, type Mark } from './timeline-model.ts'

/** Every dose on the patient's age. Early years get more room: most doses are given there. */
export function DoseTimeline({ record, today }: { readonly record: PatientRecord; readonly today: string }) {
  const words = useWords()
  const timeline = timelineOf(record, today, words)
  if (timeline === undefined) return null
  const { lanes, ticks, now } = timeline
  const at = (place: number) => `${words.dir === 'rtl' ? 100 - place : place}%`
  return (
    <Card title={words.text('timelineTitle')}>
      <ul class="lanes">
        {lanes.map((lane) => (
          <li key={lane.label}>
            <span class="lane-label">
              <bdi>{lane.label}</bdi>
            </span>
            {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a drawing in the page takes the page's colours */}
            <svg class="lane" role="img" aria-label={laneInWords(lane, words)}>
              <line class="lane-line" x1={at(0)} x2={at(100)} y1="50%" y2="50%" />
              <line class="lane-now" x1={at(now)} x2={at(now)} y1="0" y2="100%" />
              {lane.marks.map((mark, index) => (
                <MarkShape key={index} mark={mark} x={at(mark.place)} />
              ))}
            </svg>
          </li>
        ))}
        <li class="lane-axis" aria-hidden="true">
          <span />
          <svg class="lane-ticks">
            {ticks.map(({ place, label, isMain }) => (
              <text key={label} x={at(place)} y="14" class={isMain ? undefined : 'minor'}>
                {label}
              </text>
            ))}
          </svg>
        </li>
      </ul>
      <ul class="legend">
        {(['given', 'reported', 'due', 'overdue'] as const).map((kind) => (
          <li key={kind}>
            <svg width="16" height="16" aria-hidden="true">
              <MarkShape mark={{ kind, place: 0, date: '' }} x="8" y="8" />
            </svg>
            {words.text(`legend_${kind}`)}
          </li>
        ))}
        <li>
          <svg width="16" height="16" aria-hidden="true">
            <line class="lane-now" x1="8" x2="8" y1="0" y2="16" />
          </svg>
          {words.text('legend_today')}
        </li>
      </ul>
    </Card>
  )
}

/** Told apart by their shape as well as by their colour. */
function MarkShape({ mark: { kind }, x, y = '50%' }: { readonly mark: Mark; readonly x: string; readonly y?: string }) {
  if (kind === 'given' || kind === 'reported') {
    return <circle class={classNames('mark', kind)} cx={x} cy={y} r="6" />
  }
  return (
    <svg x={x} y={y} class="mark-place">
      <path class={classNames('mark', kind)} d="M0-7 7 0 0 7-7 0Z" />
    </svg>
  )
}

function laneInWords({ label, marks }: Lane, { text, day }: Words): string {
  const parts = marks.map(({ kind, date }) => `${text(`legend_${kind}`)} ${day(date)}`)
  return `${label}: ${parts.join('; ')}`
}
