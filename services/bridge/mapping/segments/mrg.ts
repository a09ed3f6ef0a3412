import type { HumanName, Identifier } from '../../../../packages/fhir/r4.ts'
import type { Segment, SegmentList } from '../../../../packages/hl7/index.ts'
import { at } from '../at.ts'
import type { Draft } from '../draft.ts'
import { cxAs, cxOf } from '../dt/cx.ts'
import { xpn } from '../dt/xpn.ts'
import { identifiersOf, ofSomebody, rankedIdentifiers } from '../patient-key.ts'

/** MRG: what the record that goes away was known by. Every identifier has use `old`. */
export interface Prior {
  /** MRG-1 (with 2 and 4, as older versions have them): what it is found by comes first. */
  readonly patient: readonly Identifier[]
  readonly name: readonly HumanName[]
  /** MRG-3 */
  readonly account?: Identifier
  /** MRG-5 */
  readonly visit?: Identifier
  /** MRG-6 */
  readonly alternateVisit?: Identifier
}

export function readPrior(mrg: Segment, draft: Draft): Prior {
  const list = ofSomebody(identifiersOf(mrg, 1, draft, cxOf('PID-3')), draft)
  const others = [...identifiersOf(mrg, 4, draft, cxOf('PID-2')), ...identifiersOf(mrg, 2, draft, cxOf('PID-4'))]
  const identifiers = [...rankedIdentifiers(list, draft), ...others].map(({ identifier }) => identifier)
  const account = cxAs('AN')(mrg.part(3), at(draft, mrg, 3))
  const visit = cxAs('VN')(mrg.part(5), at(draft, mrg, 5))
  const alternateVisit = cxOf('PV1-50')(mrg.part(6), at(draft, mrg, 6))
  return {
    patient: identifiers.map(old),
    name: distinctNames(
      mrg.repetitions(7).flatMap((part, repetition) => xpn(part, at(draft, mrg, 7, repetition)) ?? []),
    ),
    ...(account === undefined ? {} : { account: old(account) }),
    ...(visit === undefined ? {} : { visit: old(visit) }),
    ...(alternateVisit === undefined ? {} : { alternateVisit: old(alternateVisit) }),
  }
}

/** Those of a group: some senders merge several records into one, with an MRG for each behind one PID. Without one it is refused. */
export function priorsOf(group: Pick<SegmentList, 'segments'>, draft: Draft): readonly Prior[] {
  const all = group.segments('MRG').map((mrg) => readPrior(mrg, draft))
  return all.length === 0 ? withoutMrg(draft) : all
}

/** The one of a group whose event knows no more. A further one is a loss, and warned of. */
export function priorOf(group: Pick<SegmentList, 'segments'>, draft: Draft): Prior {
  const [mrg, ...others] = group.segments('MRG')
  for (const other of others)
    draft.warn('not-kept', draft.pathOf(other), 'This event has one MRG for each PID; this one was left out.')
  return mrg === undefined ? withoutMrg(draft) : readPrior(mrg, draft)
}

/** There is nothing to merge with, or to change. */
function withoutMrg(draft: Draft): never {
  return draft.refuse({
    code: '100',
    severity: 'E',
    text: 'The message has no MRG segment, and this event needs one.',
    location: { segment: 'MRG', sequence: 1 },
  })
}

const distinctNames = (names: readonly HumanName[]): HumanName[] => [
  ...new Map(names.map((name) => [JSON.stringify(name), name])).values(),
]

const old = (identifier: Identifier): Identifier => ({ use: 'old', ...identifier })
