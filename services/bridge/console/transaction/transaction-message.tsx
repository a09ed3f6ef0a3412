import { fieldName, segmentTitle, type Message, type Segment } from '../../../../packages/hl7/index.ts'
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
        {shown.map(({ segment, index, fields }) => (
          <li key={index}>
            <p class="segment">
              <b>{segment.name}</b> {segmentTitle(segment.name) ?? 'A segment of the sender’s own'}
            </p>
            <ul>
              {fields.map((field) => (
                <FieldLine key={field} segment={segment} field={field} place={placeOf(index, field)} trace={trace} />
              ))}
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
}

function shownSegments(all: readonly Segment[]): { shown: readonly ShownSegment[]; left: number } {
  const shown: ShownSegment[] = []
  let count = 0
  for (const [index, segment] of all.entries()) {
    if (count >= fieldsMax) return { shown, left: all.length - index }
    const fields = filledFields(segment)
    count += fields.length
    shown.push({ segment, index, fields })
  }
  return { shown, left: 0 }
}

/** Fields that say something. The separators of a header say nothing to people. */
function filledFields(segment: Segment): number[] {
  const first = segment.name === 'MSH' ? 3 : 1
  const all = Array.from({ length: Math.max(0, segment.lastField - first + 1) }, (_, at) => first + at)
  return all.filter((field) => (segment.rawField(field) ?? '') !== '')
}
