import { hostileValue } from '../../../packages/hl7/testing/hostile-values.ts'
import { oneOf, type Choose } from '../../../packages/testkit/cases.ts'

/** What messages are changed with: the segments and fields of those that there were in the beginning. */
export class MessageChanges {
  readonly #segments: readonly string[]
  readonly #values: readonly string[]
  readonly #likes: ReadonlyMap<string, readonly string[]>

  constructor(seeds: readonly string[]) {
    const segments = new Set(seeds.flatMap(segmentsOf).filter((segment) => segment !== ''))
    this.#segments = [...segments]
    const fields = this.#segments.flatMap((segment) => segment.split('|').slice(1))
    this.#values = [...new Set([...fields, ...fields.flatMap((field) => field.split('^'))])]
    this.#likes = Map.groupBy(this.#segments, nameOf)
  }

  /** A message with one to four changes that senders make, and now and then with bytes where they do not belong. */
  change(choose: Choose, from: string, others: readonly string[]): string {
    let text = from
    for (let left = 1 + choose(4); left > 0; left--) text = this.#withOne(choose, text, others)
    return choose(20) === 0 ? struck(choose, text) : text
  }

  #withOne(choose: Choose, text: string, others: readonly string[]): string {
    const segments = segmentsOf(text)
    // The header stays where it is; what is no message shows little.
    const at = choose(segments.length)
    const behind = at + 1
    switch (choose(12)) {
      case 0:
        return joined(segments.toSpliced(Math.max(1, at), 1))
      case 1:
        return joined(segments.toSpliced(behind, 0, oneOf(choose, this.#segments)))
      case 2:
        return joined(segments.toSpliced(behind, 0, segments[at] ?? ''))
      case 3:
        return joined([...segments.slice(0, behind), ...moved(choose, segments.slice(behind))])
      case 4:
        return joined([...segments.slice(0, behind), ...restOf(choose, oneOf(choose, others))])
      default:
        return joined(segments.with(at, this.#changedSegment(choose, segments[at] ?? '')))
    }
  }

  #changedSegment(choose: Choose, segment: string): string {
    const fields = segment.split('|')
    const first = segment.startsWith('MSH') ? 2 : 1
    const at = first + choose(fields.length + 1)
    while (fields.length <= at) fields.push('')
    const field = fields[at] ?? ''
    return fields.with(at, this.#changedField(choose, segment, at, field)).join('|')
  }

  #changedField(choose: Choose, segment: string, at: number, field: string): string {
    switch (choose(6)) {
      case 0:
        return ''
      case 1:
        return this.#value(choose)
      case 2: {
        const like = oneOf(choose, this.#likes.get(nameOf(segment)) ?? [segment])
        return like.split('|')[at] ?? ''
      }
      case 3:
        return `${field}~${choose(2) === 0 ? field : this.#value(choose)}`
      default: {
        const components = field.split('^')
        const place = choose(components.length + 1)
        while (components.length <= place) components.push('')
        return components.with(place, choose(3) === 0 ? '' : this.#value(choose)).join('^')
      }
    }
  }

  #value(choose: Choose): string {
    return choose(5) === 0 ? hostileValue(choose) : oneOf(choose, this.#values)
  }
}

const segmentsOf = (text: string) => text.split('\r')
const joined = (segments: readonly string[]) => segments.join('\r').slice(0, lengthMax)
const nameOf = (segment: string) => segment.slice(0, 3)

/** Segments that are doubled again and again show nothing that twenty of them do not. */
const lengthMax = 20_000

/** What was first comes last. */
const moved = (choose: Choose, segments: readonly string[]) => {
  const place = segments.length === 0 ? 0 : choose(segments.length)
  return [...segments.slice(place), ...segments.slice(0, place)]
}

/** The end of a message, without its header. */
function restOf(choose: Choose, text: string): readonly string[] {
  const segments = segmentsOf(text)
  return segments.slice(1 + choose(segments.length))
}

function struck(choose: Choose, text: string): string {
  const at = choose(text.length + 1)
  return text.slice(0, at) + hostileValue(choose) + text.slice(at + choose(8))
}
