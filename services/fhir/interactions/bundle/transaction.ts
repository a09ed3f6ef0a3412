import { assert } from '../../../../packages/faults/fault.ts'
import type { Transaction } from '../../../../packages/sql/queryable.ts'
import { readCurrent } from '../../store/read.ts'
import type { Head } from '../../store/heads.ts'
import { resourceKey, type Key } from '../../store/keys.ts'
import type { Answer } from '../answer.ts'
import { bundleText } from '../bundle-text.ts'
import type { InteractionDeps } from '../deps.ts'
import { answeredEntry, partOf } from './answered-entry.ts'
import { atEntry } from './at-entry.ts'
import { entryRequestOf, type EntryRequest } from './entry-request.ts'
import { identify, type IdentifiedEntry } from './identify.ts'
import { inTurns } from './in-turns.ts'
import type { BundleRequest } from './process-bundle.ts'
import { relinkEntries } from './relink.ts'
import { runReading } from './run-entry.ts'
import { changeOf } from './transaction-change.ts'

/** All entries or none, in one database transaction. What a GET sees is what the others have written. */
export async function transaction(
  bundleEntries: readonly unknown[],
  request: BundleRequest,
  deps: InteractionDeps,
): Promise<Answer> {
  const entries = bundleEntries.map((entry, index) => readEntry(entry, index, deps.base))
  const answers = await deps.database.transaction((tx) => carryOut(entries, request, tx, deps))
  const answered = entries.map((entry, index) => {
    const answer = answers[index]
    assert(answer !== undefined, 'an entry of a transaction has no answer')
    return { entry: answeredEntry(answer, entry, request, deps.base), part: partOf(entry, answer) }
  })
  const shown = answered.map(({ entry }) => entry)
  const parts = answered.map(({ part }) => part)
  return { kind: 'made', content: bundleText({ type: 'transaction-response' }, shown), touched: [], parts }
}

/** R4 section 3.1.0.11.2: DELETE, POST, PUT and PATCH, GET. */
async function carryOut(
  entries: readonly EntryRequest[],
  request: BundleRequest,
  tx: Transaction,
  deps: InteractionDeps,
): Promise<Answer[]> {
  const answers: Answer[] = []
  const writing = entries.filter(({ method }) => method !== 'GET' && method !== 'HEAD')
  const identified = await identify(writing, request.access, tx, deps)
  const relinked = await relinkEntries(identified.entries, request.access, tx, deps)
  const ordered = relinked.toSorted((some, other) => rank[some.entry.method] - rank[other.entry.method])
  const isAll = writing.length === entries.length
  await write(ordered, answers, { request, known: identified.heads, isAll }, tx, deps)
  for (const entry of entries) {
    if (entry.method !== 'GET' && entry.method !== 'HEAD') continue
    answers[entry.index] = await at(entry.index, () => runReading(entry, request, deps, tx))
  }
  return answers
}

const rank = { DELETE: 0, POST: 1, PUT: 2, PATCH: 2, GET: 3, HEAD: 3 } as const

interface Writing {
  readonly request: BundleRequest
  readonly known: ReadonlyMap<Key, Head>
  /** Nothing is read behind it. */
  readonly isAll: boolean
}

async function write(
  identified: readonly IdentifiedEntry[],
  answers: Answer[],
  { request, known, isAll }: Writing,
  tx: Transaction,
  deps: InteractionDeps,
): Promise<void> {
  const changes = await inTurns(identified, (one) => at(one.entry.index, () => changeOf(one, request.access, tx, deps)))
  const isChange = (position: number) => changes[position] !== undefined
  const written = identified.filter((_one, position) => isChange(position))
  const outcomes = await deps.store.writeTogether(
    changes.filter((change) => change !== undefined),
    tx,
    { known, ...(isAll && written.length === identified.length ? { commit: 'whole' } : {}) },
  )
  for (const [position, { entry }] of written.entries()) {
    const outcome = outcomes[position]
    if (outcome?.kind === 'refused') throw atEntry(outcome.fault, entry.index)
    if (outcome !== undefined) answers[entry.index] = outcome
  }
  await answerKept(
    identified.filter((_one, position) => !isChange(position)),
    answers,
    tx,
  )
}

/** Entries that change nothing: a conditional create that found its resource, a conditional delete that found none. */
async function answerKept(kept: readonly IdentifiedEntry[], answers: Answer[], tx: Transaction): Promise<void> {
  const keyOf = ({ entry, id }: IdentifiedEntry) => resourceKey(entry.place.type ?? '', id ?? '')
  const contents = await readCurrent(kept.map(keyOf), tx)
  for (const one of kept) {
    const stored = contents.get(keyOf(one))
    answers[one.entry.index] = stored === undefined ? { kind: 'absent' } : { kind: 'kept', stored }
  }
}

function readEntry(entry: unknown, index: number, base: string): EntryRequest {
  try {
    return entryRequestOf(entry, index, base)
  } catch (thrown) {
    throw atEntry(thrown, index)
  }
}

/** What is refused names its entry; what the database throws must stay as it is, so that it may be tried again. */
async function at<T>(index: number, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (thrown) {
    const { kind } = atEntry(thrown, index)
    throw kind === 'bug' || kind === 'unavailable' ? thrown : atEntry(thrown, index)
  }
}
