import { assert } from '../../../../packages/faults/fault.ts'
import type { Queryable } from '../../../../packages/sql/queryable.ts'
import type { AccessConditions } from '../../scopes/access.ts'
import type { Outcome } from '../../store/change.ts'
import { resourceKey } from '../../store/keys.ts'
import { readCurrent } from '../../store/read.ts'
import type { WholeChange } from '../../store/whole-changes.ts'
import type { Answer, AnsweredPart } from '../answer.ts'
import type { InteractionDeps } from '../deps.ts'
import { atEntry } from './at-entry.ts'
import type { EntryRequest } from './entry-request.ts'
import { askedEntries, identify, type IdentifiedEntry } from './identify.ts'
import { inTurns } from './in-turns.ts'
import { relinkEntries } from './relink.ts'
import { changeOf } from './transaction-change.ts'

/** The entries of a transaction that write, as what the store carries out whole. */
export interface WholeEntries extends WholeChange {
  /** The answer of each entry, at its index in the bundle, once they are written. */
  answersOf(outcomes: readonly Outcome[]): Answer[]
  /** What the references in them asked for. */
  lookUps(): readonly AnsweredPart[]
}

export function wholeEntries(
  entries: readonly EntryRequest[],
  access: AccessConditions,
  deps: InteractionDeps,
): WholeEntries {
  const asked = askedEntries(entries, access, deps)
  // Of the last time that it was prepared: what was refused for contention is prepared again.
  let written: readonly IdentifiedEntry[] = []
  let answers: Answer[] = []
  let lookUps: readonly AnsweredPart[] = []
  return {
    questions: asked.flatMap(({ question }) => question ?? []),
    keys: entries.flatMap(({ place: { type, id } }) =>
      type === undefined || id === undefined ? [] : [resourceKey(type, id)],
    ),
    async changesFor(found, tx, may) {
      // Before anything is made of them: it may be refused for what they found.
      const tell = (some: readonly AnsweredPart[]) => (lookUps = some)
      const options = { access, maySearch: may.search, tell }
      lookUps = []
      const relinked = await relinkEntries(identify(asked, found, deps), options, tx, deps)
      if (relinked === undefined) return undefined
      const ordered = relinked.toSorted((some, other) => rank[some.entry.method] - rank[other.entry.method])
      const changes = await inTurns(ordered, (one) => atIndex(one.entry.index, () => changeOf(one, access, tx, deps)))
      written = ordered.filter((_one, position) => changes[position] !== undefined)
      answers = await answersOfKept(
        ordered.filter((_one, position) => changes[position] === undefined),
        tx,
      )
      return changes.filter((change) => change !== undefined)
    },
    refusalOf: (fault, position) => atEntry(fault, written[position]?.entry.index ?? 0),
    answersOf(outcomes) {
      for (const [position, { entry }] of written.entries()) {
        const outcome = outcomes[position]
        assert(outcome !== undefined && outcome.kind !== 'refused', 'an entry of a transaction was not carried out')
        answers[entry.index] = outcome
      }
      return answers
    },
    lookUps: () => lookUps,
  }
}

/** R4 section 3.1.0.11.2: DELETE, POST, PUT and PATCH, GET. */
const rank = { DELETE: 0, POST: 1, PUT: 2, PATCH: 2, GET: 3, HEAD: 3 } as const

/** Entries that change nothing: a conditional create that found its resource, a conditional delete that found none. */
async function answersOfKept(kept: readonly IdentifiedEntry[], on: Queryable): Promise<Answer[]> {
  const answers: Answer[] = []
  const keyOf = ({ entry, id }: IdentifiedEntry) => resourceKey(entry.place.type ?? '', id ?? '')
  const contents = await readCurrent(kept.map(keyOf), on)
  for (const one of kept) {
    const stored = contents.get(keyOf(one))
    answers[one.entry.index] = stored === undefined ? { kind: 'absent' } : { kind: 'kept', stored }
  }
  return answers
}

/** What is refused names its entry; what the database throws must stay as it is, so that it may be tried again. */
export async function atIndex<T>(index: number, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (thrown) {
    const { kind } = atEntry(thrown, index)
    throw kind === 'bug' || kind === 'unavailable' ? thrown : atEntry(thrown, index)
  }
}
