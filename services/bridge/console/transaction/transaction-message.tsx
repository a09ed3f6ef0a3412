import { fieldName, segmentTitle, type Message, type Segment } from '../../../../packages/hl7/index.ts'
import { filledFields } from './filled-fields.ts'
import { placeOf, type Trace } from './transaction-trace.ts'

/** So much of a message is shown; a longer one is told so. */
const fieldsMax = 320
const valueMax = 400

interface MessageTreeProps {
  readonly message: Message
  readonly trace: Trace
}

/** A message as people read it: segments with their titles, fields with their names. */
export function MessageTree({ message, trace }: MessageTreeProps) {
  const { shown, left } = shownSegments(message.all)
  return (
    <>
      <ol class="message-tree" data-linked="message">
        {shown.map(({ segment, index, fields, isCut }) => (
          <li key={index}>
            <p class="segment">
              <b>{segment.name}</b> {segmentTitle(segment.name) ?? 'A segment of the sender’s own'}
            </p>
            <ul>
              {fields.map((field) => (
                <FieldLine key={field} segment={segment} field={field} place={placeOf(index, field)} trace={trace} />
              ))}
              {isCut && <li class="hint">And more fields, which are not shown here.</li>}
            </ul>
          </li>
        ))}
      </ol>
      {left > 0 && <p class="hint">And {left} more segments, which are not shown here.</p>}
    </>
  )
}

function FieldLine(props: { segment: Segment; field: number; place: string } & Pick<MessageTreeProps, 'trace'>) {
  const { segment, field, place, trace } = props
  const sent = segment.rawField(field) ?? ''
  return (
    <li class="leaf" data-place={trace.has(place) ? place : undefined}>
      <span class="leaf-id">
        {segment.name}-{field}
      </span>{' '}
      <span class="leaf-name">{fieldName(segment.name, field)}</span>{' '}
      <bdi class="leaf-value">{sent.length > valueMax ? `${sent.slice(0, valueMax)} …` : sent}</bdi>
    </li>
  )
}

interface ShownSegment {
  readonly segment: Segment
  readonly index: number
  readonly fields: readonly number[]
  /** True when the segment says more than is shown. */
  readonly isCut: boolean
}

function shownSegments(all: readonly Segment[]): { shown: readonly ShownSegment[]; left: number } {
  const shown: ShownSegment[] = []
  let room = fieldsMax
  for (const [index, segment] of all.entries()) {
    if (room <= 0) return { shown, left: all.length - index }
    const fields = firstOf(filledFields(segment), room + 1)
    shown.push({ segment, index, fields: fields.slice(0, room), isCut: fields.length > room })
    room -= fields.length
  }
  return { shown, left: 0 }
}

function firstOf(fields: Iterable<number>, count: number): number[] {
  const first: number[] = []
  for (const field of fields) if (first.push(field) >= count) break
  return first
}
