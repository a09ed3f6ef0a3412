import { faultOf, unavailable, type Fault } from '../../../../packages/faults/fault.ts'
import { loggedFault } from '../../../../packages/faults/logged.ts'
import { isOutcomeUnknown } from '../../../../packages/sql/database-fault.ts'
import type { AnsweredPart, Answer } from '../answer.ts'
import { bundleText, type BundleEntry } from '../bundle-text.ts'
import type { InteractionDeps } from '../deps.ts'
import { contentOfAnswer, entryResponse, faultResponse } from '../entry-response.ts'
import { AnswerRoom } from './answer-room.ts'
import { answeredEntry, partOf } from './answered-entry.ts'
import { atEntry } from './at-entry.ts'
import { entryRequestOf, isReading } from './entry-request.ts'
import { operationEntryOf, partOfOperation } from './operation-entry.ts'
import type { BundleRequest } from './bundle-request.ts'
import { runEntry } from './run-entry.ts'

/** Enough to fill a group commit, few enough to leave room for others. */
const entriesAtOnce = 32

/** Every entry by itself; what fails is said in its place. Thrown is only what says that nothing was done. */
export async function batch(
  entries: readonly unknown[],
  request: BundleRequest,
  deps: InteractionDeps,
): Promise<Answer> {
  const answered: AnsweredEntry[] = []
  const room = new AnswerRoom(deps.limits)
  let next = 0
  const work = async () => {
    while (next < entries.length) {
      const index = next++
      const one = await answerOf(entries[index], index, { request, room }, deps)
      room.take(one.entry)
      answered[index] = one
      // Once all that ran side by side have met this, the others would only say the same, and each after its timeout.
      if (one.fault?.kind === 'unavailable') return
    }
  }
  await Promise.all(Array.from({ length: Math.min(entriesAtOnce, entries.length) }, work))
  const [first] = answered
  if (first?.fault !== undefined && answered.every(hasDoneNothing)) throw first.fault
  for (const { fault } of answered) {
    if (fault?.kind === 'unavailable') deps.log.warn('entry of a batch failed', loggedFault(fault))
  }
  for (; next < entries.length; next++) answered[next] = failed(notBegun(), next)
  const shown = answered.map(({ entry }) => entry)
  const parts = answered.flatMap(({ part }) => part ?? [])
  return { kind: 'made', content: bundleText({ type: 'batch-response' }, shown), touched: [], parts }
}

interface AnsweredEntry {
  readonly entry: BundleEntry
  /** Undefined where the entry could not even be read, or was not begun. */
  readonly part: AnsweredPart | undefined
  /** Why it failed; undefined where it was carried out. */
  readonly fault?: Fault
}

/** Of a commit whose answer was lost nobody knows. */
const hasDoneNothing = ({ fault }: AnsweredEntry) => fault?.kind === 'unavailable' && !isOutcomeUnknown(fault)

const notBegun = () =>
  unavailable('The entry was not begun: those before it could not be carried out. Send it again in a moment.')

const failed = (fault: Fault, index: number, known?: AnsweredPart): AnsweredEntry => ({
  entry: { rest: { response: faultResponse(atEntry(fault, index)) } },
  part: known === undefined ? undefined : { ...known, fault },
  fault,
})

async function answerOf(
  entry: unknown,
  index: number,
  { request, room }: { readonly request: BundleRequest; readonly room: AnswerRoom },
  deps: InteractionDeps,
): Promise<AnsweredEntry> {
  let known: AnsweredPart | undefined
  try {
    const { operate } = request
    const operation = operate === undefined ? undefined : operationEntryOf(entry, deps.base)
    if (operate !== undefined && operation !== undefined) {
      known = partOfOperation(operation)
      room.requireRoom()
      const answer = await operate(operation)
      const shown = { resource: contentOfAnswer(answer), rest: { response: entryResponse(answer, deps.base) } }
      return { entry: shown, part: partOfOperation(operation, answer) }
    }
    const asked = entryRequestOf(entry, index, deps.base)
    known = partOf(asked)
    if (isReading(asked)) room.requireRoom()
    const answer = await runEntry(asked, request, deps)
    const shown = answeredEntry(answer, asked, room.narrowed(request, asked), deps.base)
    return { entry: shown, part: partOf(asked, answer) }
  } catch (thrown) {
    const fault = faultOf(thrown)
    if (fault.kind === 'bug') deps.log.error('entry of a batch failed', loggedFault(fault))
    return failed(fault, index, known)
  }
}
