import { defaultBackoff, waitAfterAttemptMs, type Backoff } from '../clock/backoff.ts'
import type { Clock } from '../clock/clock.ts'
import type { Random } from '../clock/ids.ts'
import { faultOf, unavailable, type Fault } from '../faults/fault.ts'
import type { Log } from '../log/log.ts'
import type { Queryable } from './queryable.ts'
import type { TaskTable } from './task-table.ts'
import type { ClaimedTask } from './task.ts'

/** Does the work. It may be done twice (a copy can die after doing it), so the receiver must be able to tell by id. */
export type TaskHandler<Payload> = (task: ClaimedTask<Payload>, signal: AbortSignal) => Promise<void>

export interface AttemptPolicy {
  readonly attemptsMax?: number
  readonly backoff?: Backoff
  /** A failure that no repetition can mend: the task is dead at once. */
  readonly isPermanent?: (fault: Fault) => boolean
}

/** Runs the handler with a deadline; what does not listen to its signal is not waited for. The fault if it failed. */
export async function attemptTask<Payload>(
  task: ClaimedTask<Payload>,
  handle: TaskHandler<Payload>,
  options: { clock: Clock; timeoutMs: number; stop: AbortSignal },
): Promise<Fault | undefined> {
  const { clock, timeoutMs, stop } = options
  using deadline = clock.deadline(timeoutMs, tookTooLong)
  const controller = new AbortController()
  const aborted = Promise.withResolvers<never>()
  const onAbort = () => {
    const reason: unknown = stop.aborted ? stop.reason : deadline.signal.reason
    controller.abort(reason)
    aborted.reject(reason)
  }
  // Not AbortSignal.any: `stop` lives as long as the worker and would keep every task's signal.
  for (const signal of [deadline.signal, stop]) signal.addEventListener('abort', onAbort, { once: true })
  try {
    if (stop.aborted) onAbort()
    await Promise.race([handle(task, controller.signal), aborted.promise])
    return undefined
  } catch (thrown) {
    return faultOf(stop.aborted ? stop.reason : thrown)
  } finally {
    for (const signal of [deadline.signal, stop]) signal.removeEventListener('abort', onAbort)
  }
}

/** After a failed attempt: again later, or dead when no attempt is left. False when the lease was lost. */
export async function failTask(
  on: Queryable,
  task: ClaimedTask,
  fault: Fault,
  deps: AttemptPolicy & { table: TaskTable; clock: Clock; random: Random; log: Log },
): Promise<boolean> {
  const { table, attemptsMax = 10, backoff = defaultBackoff, isPermanent = () => false, log } = deps
  if (fault.code === stoppedCode) return table.release(on, task)
  const error = (fault.logged ?? fault.message).slice(0, 500)
  const told = { queue: task.queue, attempt: task.attempt, attemptsMax, faultKind: fault.kind, error }
  if (task.attempt >= attemptsMax || isPermanent(fault)) {
    log.error('task is dead', told)
    return table.bury(on, task, error)
  }
  const waitMs = waitAfterAttemptMs(task.attempt, backoff, deps.random)
  log.warn('task failed', { ...told, waitMs })
  return table.retryAt(on, task, new Date(deps.clock.now().getTime() + waitMs), error)
}

const stoppedCode = 'WORKER_STOPPED'
export const workerStopped = () => unavailable('This copy is stopping.', { code: stoppedCode })
const tookTooLong = () => unavailable('The work took longer than its lease.', { code: 'TASK_TIMEOUT' })
