import { assert, faultOf, incorrect, type Fault } from '../../../../packages/faults/fault.ts'
import type { Transaction } from '../../../../packages/sql/queryable.ts'
import { isOpen, isUnrestricted } from '../../store/access-condition.ts'
import { ofOneKind, type Answer, type AnsweredPart } from '../answer.ts'
import { bundleText } from '../bundle-text.ts'
import type { InteractionDeps } from '../deps.ts'
import { contentOfAnswer } from '../entry-response.ts'
import type { WholeOptions } from '../../store/whole-changes.ts'
import { asFarAsSeen } from '../unseen.ts'
import { AnswerRoom } from './answer-room.ts'
import { answeredEntry, partOf } from './answered-entry.ts'
import { atEntry } from './at-entry.ts'
import { entryRequestOf, isReading, type EntryRequest } from './entry-request.ts'
import type { BundleRequest } from './bundle-request.ts'
import { runReading } from './run-entry.ts'
import { atIndex, wholeEntries, type WholeEntries } from './whole-entries.ts'

/** All entries or none, in one database transaction. What a GET sees is what the others have written. */
export async function transaction(
  bundleEntries: readonly unknown[],
  request: BundleRequest,
  deps: InteractionDeps,
): Promise<Answer> {
  const entries = bundleEntries.map((entry, index) => readEntry(entry, index, deps.base))
  checkFullUrls(entries)
  const writing = entries.filter((entry) => !isReading(entry))
  const whole = wholeEntries(writing, request.access, deps)
  try {
    return await carriedOut(entries, whole, request, deps)
  } catch (thrown) {
    request.tellRefused?.(refusedParts(entries, whole.lookUps(), faultOf(thrown)))
    throw thrown
  }
}

async function carriedOut(
  entries: readonly EntryRequest[],
  whole: WholeEntries,
  request: BundleRequest,
  deps: InteractionDeps,
): Promise<Answer> {
  const shared = isShareable(entries, whole, request) ? await deps.store.writeWhole(whole) : undefined
  const answers = shared === undefined ? await alone(entries, whole, request, deps) : whole.answersOf(shared)
  for (const { index } of entries.filter(({ method }) => method === 'PATCH')) {
    const answer = answers[index]
    if (answer !== undefined) answers[index] = await asFarAsSeen(answer, request.access, deps)
  }
  const room = new AnswerRoom(deps.limits)
  const answered = entries.map((entry, index) => {
    const answer = answers[index]
    assert(answer !== undefined, 'an entry of a transaction has no answer')
    const shown = answeredEntry(answer, entry, room.narrowed(request, entry), deps.base)
    room.take(shown)
    return { entry: shown, part: partOf(entry, answer) }
  })
  const shown = answered.map(({ entry }) => entry)
  const parts = [...answered.map(({ part }) => part), ...whole.lookUps()]
  return { kind: 'made', content: bundleText({ type: 'transaction-response' }, shown), touched: [], parts }
}

/** Of all that it names, one a kind; of what it asks, each. What failed for a reason of ours has answered nothing. */
function refusedParts(
  entries: readonly EntryRequest[],
  lookUps: readonly AnsweredPart[],
  fault: Fault,
): AnsweredPart[] {
  if (fault.kind === 'bug' || fault.kind === 'unavailable') return []
  // What would only have been created names nobody, and asks for nobody.
  const asking = entries.filter(({ method, ifNoneExist }) => method !== 'POST' || ifNoneExist !== undefined)
  return ofOneKind([...asking.map((entry) => partOf(entry)), ...lookUps]).map((part) => ({ ...part, fault }))
}

/**
 * R4 bdl-7 lets two versions of a resource share a fullUrl. A transaction has no versions to tell: which of the two a
 * reference means, nobody could say.
 */
function checkFullUrls(entries: readonly EntryRequest[]): void {
  const seen = new Set<string>()
  for (const { fullUrl, index } of entries) {
    if (fullUrl === undefined) continue
    if (seen.has(fullUrl)) throw atEntry(sameFullUrl(), index)
    seen.add(fullUrl)
  }
}

const sameFullUrl = () =>
  incorrect('Two entries of the transaction have the same fullUrl. Give each its own.', {
    fields: [{ path: 'fullUrl', message: 'is that of another entry: give each entry its own' }],
  })

/** More would make others wait. */
const sharedEntriesMax = 100

/** The usual: some resources, found by their identifiers, by who may do everything with them. */
function isShareable(entries: readonly EntryRequest[], whole: WholeEntries, { access }: BundleRequest): boolean {
  return (
    entries.length <= sharedEntriesMax &&
    entries.every(
      (entry) =>
        !isReading(entry) &&
        entry.method !== 'PATCH' &&
        entry.place.type !== undefined &&
        isOpen(access, entry.place.type),
    ) &&
    whole.questions.every(({ criteria }) => criteria.identifier !== undefined)
  )
}

async function alone(
  entries: readonly EntryRequest[],
  whole: WholeEntries,
  request: BundleRequest,
  deps: InteractionDeps,
): Promise<Answer[]> {
  const reading = entries.filter(isReading)
  const commits = reading.length === 0
  const work = async (tx: Transaction, options: Pick<WholeOptions, 'takes'>) => {
    const outcomes = await deps.store.writeWholeIn(whole, tx, { commits, ...options })
    if (outcomes === undefined) return undefined
    const answers = whole.answersOf(outcomes)
    const room = new AnswerRoom(deps.limits)
    for (const entry of reading) {
      const answer = await atIndex(entry.index, () => {
        room.requireRoom()
        return runReading(entry, request, deps, tx)
      })
      room.take({ resource: contentOfAnswer(answer) })
      answers[entry.index] = answer
    }
    return answers
  }
  const byKeys = isByKeys(entries, whole, request)
    ? await deps.database.transaction((tx) => work(tx, { takes: 'what is found by keys' }), { plans: 'kept' })
    : undefined
  const answers = byKeys ?? (await deps.database.transaction((tx) => work(tx, {})))
  assert(answers !== undefined, 'a transaction that may search was left out')
  return answers
}

/** Nothing is searched for, and nobody's reach is asked. */
function isByKeys(entries: readonly EntryRequest[], whole: WholeEntries, { access }: BundleRequest): boolean {
  const isWide = (type: string) => isUnrestricted(access, type, 'c') && isUnrestricted(access, type, 's')
  return (
    entries.every(({ method, place: { type } }) => method === 'POST' && type !== undefined && isWide(type)) &&
    whole.questions.every(({ criteria }) => criteria.identifier !== undefined)
  )
}

function readEntry(entry: unknown, index: number, base: string): EntryRequest {
  try {
    return entryRequestOf(entry, index, base)
  } catch (thrown) {
    throw atEntry(thrown, index)
  }
}
