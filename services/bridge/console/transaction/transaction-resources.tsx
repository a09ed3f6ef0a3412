import { Badge } from '../../../../packages/views/components/badge.tsx'
import type { Message } from '../../../../packages/hl7/index.ts'
import type { Mapped, Write } from '../../mapping/mapped.ts'
import type { WrittenResource } from '../../persist/written-resource.ts'
import { elementsOf, type Element } from './transaction-elements.ts'
import type { Trace } from './transaction-trace.ts'

const elementsMax = 360
const valueMax = 200

interface ResourcesProps {
  readonly message: Message
  readonly mapped: Mapped
  readonly trace: Trace
  /** What was really written; none for a message that failed. */
  readonly written: readonly WrittenResource[]
}

/** What a message says, as FHIR: every element with the field that it comes from. */
export function Resources({ message, mapped, trace, written }: ResourcesProps) {
  const sources = sourcesOf(message, trace)
  const names = namesOf(mapped.writes)
  let room = elementsMax
  const shown = mapped.writes.flatMap((write, at) => {
    if (room <= 0) return []
    const all = elementsOf(write, at)
    const elements = all.slice(0, room)
    room -= all.length
    return [{ write, elements, isCut: elements.length < all.length }]
  })
  const left = mapped.writes.length - shown.length
  return (
    <>
      <ol class="message-tree" data-linked="resources">
        {shown.map(({ write, elements, isCut }) => (
          <li key={write.fullUrl}>
            <p class="segment">
              <b>{names.get(write.fullUrl)}</b> <Operation write={write} writes={mapped.writes} written={written} />
            </p>
            <ul>
              {elements.map((element) => (
                <ElementLine key={element.id} element={element} sources={sources.get(element.id)} names={names} />
              ))}
              {isCut && <li class="hint">And more elements, which are not shown here.</li>}
            </ul>
          </li>
        ))}
      </ol>
      {left > 0 && <p class="hint">And {left} more resources, which are not shown here.</p>}
    </>
  )
}

interface Source {
  readonly place: string
  readonly label: string
}

function ElementLine(props: {
  element: Element
  sources: readonly Source[] | undefined
  names: ReadonlyMap<string, string>
}) {
  const { element, sources = [], names } = props
  const { path, value } = element
  const told = names.get(value) ?? value
  return (
    <li class="leaf" data-from={sources.length === 0 ? undefined : sources.map(({ place }) => place).join(' ')}>
      <span class="leaf-name">{path}</span>{' '}
      <bdi class="leaf-value">{told.length > valueMax ? `${told.slice(0, valueMax)} …` : told}</bdi>{' '}
      {sources.length > 0 && <span class="leaf-id">{labelsOf(sources)}</span>}
    </li>
  )
}

/** The first few; a patient number stands behind almost everything. */
const labelsOf = (sources: readonly Source[]): string =>
  sources.length <= 2
    ? sources.map(({ label }) => label).join(', ')
    : `${sources[0]?.label} and ${sources.length - 1} more`

function sourcesOf(message: Message, trace: Trace): ReadonlyMap<string, readonly Source[]> {
  const sources = new Map<string, Source[]>()
  for (const [place, elements] of trace) {
    const [segment = 0, field] = place.split('-').map(Number)
    const source = { place, label: `${message.all[segment]?.name ?? ''}-${field}` }
    for (const id of elements) sources.set(id, [...(sources.get(id) ?? []), source])
  }
  return sources
}

/** `Observation 2`, where there are several. */
function namesOf(writes: readonly Write[]): ReadonlyMap<string, string> {
  const alike = Map.groupBy(writes, ({ resource }) => resource.resourceType)
  return new Map(
    [...alike].flatMap(([type, all]) =>
      all.map(({ fullUrl }, at) => [fullUrl, all.length === 1 ? type : `${type} ${at + 1}`] as const),
    ),
  )
}

interface OperationProps {
  readonly write: Write
  readonly writes: readonly Write[]
  readonly written: readonly WrittenResource[]
}

/** Where it is the only one of its type on both sides, what was written is known to be this one. */
function Operation({ write, writes, written }: OperationProps) {
  const { resourceType } = write.resource
  const mine = written.filter(({ type }) => type === resourceType)
  const alike = writes.filter(({ resource }) => resource.resourceType === resourceType)
  const [only] = mine
  if (mine.length !== 1 || alike.length !== 1 || only === undefined) return null
  const { reference, versionId, operation } = only
  return (
    <>
      <Badge tone={operation === 'none' ? 'neutral' : 'good'}>{operations[operation]}</Badge>{' '}
      <span class="leaf-name">
        <bdi>{reference}</bdi>
        {versionId !== undefined && `, version ${versionId}`}
      </span>
    </>
  )
}

const operations: Readonly<Record<WrittenResource['operation'], string>> = {
  create: 'Created',
  update: 'Updated',
  delete: 'Deleted',
  none: 'Was so already',
}
