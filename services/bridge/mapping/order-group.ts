import type { Identifier } from '../../../packages/fhir/r4.ts'
import { type Segment, SegmentList } from '../../../packages/hl7/index.ts'
import { at } from './at.ts'
import type { Draft } from './draft.ts'
import { ei } from './dt/ei.ts'

/** One order with what belongs to it: ORC, OBR, their notes, results and specimens. */
export interface OrderGroup {
  readonly orc: Segment | undefined
  readonly obr: Segment | undefined
  /** Everything but the specimens: notes, timing, diagnoses, results. */
  readonly own: SegmentList
  /** Each SPM with what follows it. */
  readonly specimens: readonly SegmentList[]
  readonly placer: Identifier | undefined
  readonly filler: Identifier | undefined
}

/** Cuts segments into orders. An OBR without ORC that has the number of the ORC before it belongs to that ORC. */
export function orderGroups(
  segments: SegmentList,
  draft: Draft,
): { readonly before: SegmentList; readonly orders: readonly OrderGroup[] } {
  const { before, groups } = segments.groups('ORC', 'OBR')
  let lastOrc: Segment | undefined
  const orders = groups.map((group) => {
    const obr = group.segment('OBR')
    const orc = group.segment('ORC') ?? (lastOrc && obr && isOfOrder(obr, lastOrc) ? lastOrc : undefined)
    lastOrc = orc
    return orderGroup(group, orc, obr, draft)
  })
  return { before, orders }
}

function orderGroup(group: SegmentList, orc: Segment | undefined, obr: Segment | undefined, draft: Draft): OrderGroup {
  const firstSpecimen = group.all.findIndex(({ name }) => name === 'SPM')
  const [own, rest] =
    firstSpecimen < 0 ? [group.all, []] : [group.all.slice(0, firstSpecimen), group.all.slice(firstSpecimen)]
  const number = (field: 2 | 3, kind: string): Identifier | undefined =>
    (orc && ei(kind)(orc.part(field), at(draft, orc, field))) ??
    (obr && ei(kind)(obr.part(field), at(draft, obr, field)))
  return {
    orc,
    obr,
    own: new SegmentList(own),
    specimens: new SegmentList(rest).groups('SPM').groups,
    placer: number(2, 'PLAC'),
    filler: number(3, 'FILL'),
  }
}

const isOfOrder = (obr: Segment, orc: Segment): boolean =>
  ([2, 3] as const).every((field) => {
    const [ofObr, ofOrc] = [obr.text(field), orc.text(field)]
    return ofObr === undefined || ofObr === ofOrc
  })
