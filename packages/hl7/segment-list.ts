import type { Part, Value } from './part.ts'
import { parsePath, type Path, type PathText } from './path.ts'
import type { Segment } from './segment.ts'

/** Segments in the order in which they were sent: a whole message, or a group within one. */
export class SegmentList {
  readonly all: readonly Segment[]

  constructor(all: readonly Segment[]) {
    this.all = all
  }

  /** The segment with that name, the first unless another occurrence (from 0) is asked for. */
  segment(name: string, occurrence = 0): Segment | undefined {
    let left = occurrence
    for (const segment of this.all) {
      if (segment.name === name && left-- === 0) return segment
    }
    return undefined
  }

  segments(name: string): Segment[] {
    return this.all.filter((segment) => segment.name === name)
  }

  has(name: string): boolean {
    return this.all.some((segment) => segment.name === name)
  }

  /** The value at a path: absent `undefined`, empty `''`, `""` `null`. */
  get(path: PathText | Path): Value {
    const { segment, occurrence, field, repetition, component, subcomponent } = placeOf(path)
    return this.segment(segment, occurrence)?.value(field, component, subcomponent, repetition)
  }

  /** The value at a path when it says something; undefined for absent, empty and `""`. */
  getText(path: PathText | Path): string | undefined {
    return this.get(path) || undefined
  }

  /** The repetition of the field that a path names, for a data type's reader. */
  part(path: PathText | Path): Part | undefined {
    const { segment, occurrence, field, repetition } = placeOf(path)
    return this.segment(segment, occurrence)?.part(field, repetition)
  }

  /** Every repetition of the field that a path names. */
  repetitions(path: PathText | Path): Part[] {
    const { segment, occurrence, field } = placeOf(path)
    return this.segment(segment, occurrence)?.repetitions(field) ?? []
  }

  /**
   * Cuts the list into groups, each beginning with one of the given names. With several names they stand in the order
   * of the group: `groups('ORC', 'OBR')` keeps an OBR with the ORC before it, and lets an OBR without ORC begin anew.
   */
  groups(...starts: readonly string[]): { readonly before: SegmentList; readonly groups: readonly SegmentList[] } {
    const before: Segment[] = []
    const groups: Segment[][] = []
    let rankReached = -1
    for (const segment of this.all) {
      const rank = starts.indexOf(segment.name)
      if (rank >= 0) {
        if (groups.length === 0 || rank <= rankReached) groups.push([])
        rankReached = rank
      }
      ;(groups.at(-1) ?? before).push(segment)
    }
    return { before: new SegmentList(before), groups: groups.map((segments) => new SegmentList(segments)) }
  }
}

const placeOf = (path: PathText | Path): Path => (typeof path === 'string' ? parsePath(path) : path)
