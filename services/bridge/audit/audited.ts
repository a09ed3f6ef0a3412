import type { Clock } from '../../../packages/clock/clock.ts'
import type { Ids } from '../../../packages/clock/ids.ts'
import { faultOf } from '../../../packages/faults/fault.ts'
import type { Log } from '../../../packages/log/log.ts'
import type { Database } from '../../../packages/sql/database.ts'
import type { Outbox } from '../../../packages/sql/tasks/outbox.ts'
import type { ActionEnd, ActionRecord, OperatorAction } from './operator-action.ts'

/** Does what somebody wants, and has it on the record, however it went, before they are answered. */
export type Audited = <Done>(
  action: OperatorAction,
  run: () => Promise<Done>,
  endOf?: (done: Done) => ActionEnd,
) => Promise<Done>

interface AuditedDeps {
  readonly database: Database
  readonly outbox: Outbox
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
}

/** Records go to the spool of these topics, as those of messages do. */
export function auditedActions(topics: readonly string[], processId: string, deps: AuditedDeps): Audited {
  const { database, outbox, clock, ids, log } = deps
  const record = async ({ did, to, caller, request }: OperatorAction, end: Ended) => {
    const id = printable(to?.id ?? '')
    const action: ActionRecord = {
      ...{ id: ids.timeUuid(), at: clock.now().toISOString(), processId, did },
      ...(to === undefined || id === '' ? {} : { to: { kind: to.kind, id } }),
      ...{ subject: caller.subject, clientId: caller.clientId, peer: request.peer, requestId: request.id },
      ...end,
    }
    const spooled = topics.map((topic) => ({ topic, payload: [action] }))
    if (spooled.length > 0) await database.transaction((tx) => outbox.enqueue(tx, ...spooled))
  }
  return async (action, run, endOf = () => ({})) => {
    let done
    try {
      done = await run()
    } catch (thrown) {
      // Why it failed is what its caller must hear, also where that keeps it off the record too.
      await record(action, failedFor(thrown)).catch((unwritten: unknown) => {
        const { kind, message } = faultOf(unwritten)
        log.error('action is not audited', { requestId: action.request.id, faultKind: kind, error: message })
      })
      throw thrown
    }
    const { refused, details = {} } = endOf(done)
    const said = Object.entries(details)
      .map(([name, value]) => [name, printable(String(value ?? ''))] as const)
      .filter(([, value]) => value !== '')
    await record(action, {
      ...(refused === undefined ? { outcome: '0' as const } : { outcome: '4' as const, reason: refused }),
      details: said,
    })
    return done
  }
}

type Ended = Pick<ActionRecord, 'outcome' | 'reason' | 'details'>

function failedFor(thrown: unknown): Ended {
  const { kind, code } = faultOf(thrown)
  return { outcome: kind === 'unavailable' || kind === 'bug' ? '8' : '4', reason: code ?? kind, details: [] }
}

/** As the database and FHIR can hold it: who asks for what there is not may name it with any sign. */
const printable = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, '\ufffd')
    .trim()
