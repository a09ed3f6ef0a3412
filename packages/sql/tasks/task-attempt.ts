import { defaultBackoff, waitAfterAttemptMs, waitAsAskedMs, type Backoff } from '../../clock/backoff.ts'
import type { Clock } from '../../clock/clock.ts'
import type { Random } from '../../clock/ids.ts'
import { faultOf, unavailable, type Fault } from '../../faults/fault.ts'
import type { Log } from '../../log/log.ts'
import { errorOf, type TaskEnd } from './task-end.ts'
import type { ClaimedTask } from './task.ts'

/** Does the work. It may be done twice (a copy can die after doing it), so the receiver must be able to tell by id. */
export type TaskHandler<Payload, Result = void> = (task: ClaimedTask<Payload>, signal: AbortSignal) => Promise<Result>

export interface AttemptPolicy {
  readonly attemptsMax?: number
  readonly backoff?: Backoff
  /** A failure that no repetition can mend, or not after so many: the task is dead at once. */
  readonly isPermanent?: (fault: Fault, attempt: number) => boolean
}

interface AttemptDeps extends AttemptPolicy {
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
}

/** Runs the handler with a deadline; what does not listen to its signal is not waited for. */
export async function attemptTask<Payload, Result>(
  task: ClaimedTask<Payload>,
  handle: TaskHandler<Payload, Result>,
  options: AttemptDeps & { readonly timeoutMs: number; readonly stop: AbortSignal },
): Promise<TaskEnd<Payload, Result>> {
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
    const result = await Promise.race([handle(task, controller.signal), aborted.promise])
    return { is: 'done', task, result }
  } catch (thrown) {
    return endOfFailure(task, faultOf(stop.aborted ? stop.reason : thrown), options)
  } finally {
    for (const signal of [deadline.signal, stop]) signal.removeEventListener('abort', onAbort)
  }
}

/** After a failed attempt: again later, or dead when no attempt is left. */
export function endOfFailure<Payload>(
  task: ClaimedTask<Payload>,
  fault: Fault,
  deps: AttemptDeps,
): TaskEnd<Payload, never> {
  const { attemptsMax = 10, backoff = defaultBackoff, isPermanent = () => false, clock, random, log } = deps
  const askedMs = fault.retryAfterSeconds === undefined ? undefined : fault.retryAfterSeconds * 1_000
  if (fault.code === untriedCode) {
    if (askedMs === undefined) return { is: 'untried', task }
    return { is: 'untried', task, fault, nextAt: new Date(clock.now().getTime() + askedMs) }
  }
  const waitMs = waitAsAskedMs(waitAfterAttemptMs(task.attempt, backoff, random), askedMs)
  const nextAt = new Date(clock.now().getTime() + waitMs)
  const told = {
    queue: task.queue,
    attempt: task.attempt,
    attemptsMax,
    faultKind: fault.kind,
    error: errorOf({ fault }),
  }
  if (fault.code === postponedCode) {
    log.warn('task postponed', { ...told, waitMs })
    return { is: 'untried', task, fault, nextAt }
  }
  if (task.attempt >= attemptsMax || isPermanent(fault, task.attempt)) {
    log.error('task is dead', told)
    return { is: 'dead', task, fault }
  }
  log.warn('task failed', { ...told, waitMs })
  return { is: 'failed', task, fault, nextAt }
}

const untriedCode = 'TASK_UNTRIED'
const postponedCode = 'TASK_POSTPONED'

/** Thrown by a handler that has not begun: the task is given back as it was, and this was no attempt. */
export const untried = (shown: string) => unavailable(shown, { code: untriedCode })
/** The same, and it is worth another look only after this time; whoever knows so has told the log. */
export const untriedFor = (waitMs: number, shown: string) =>
  unavailable(shown, { code: untriedCode, retryAfterSeconds: waitMs / 1_000 })
/** The same, but it can begin only later: what it needs is away. */
export const postponed = (shown: string) => unavailable(shown, { code: postponedCode })
export const isUntried = ({ code }: Fault): boolean => code === untriedCode || code === postponedCode
export const workerStopped = () => untried('This copy is stopping.')
export const timeoutCode = 'TASK_TIMEOUT'
export const tookTooLong = () => unavailable('The work took longer than its lease.', { code: timeoutCode })
