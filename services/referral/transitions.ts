/** Both state machines of the referral service, as data. What is not written here is refused. */

export const referralStatuses = ['DRAFT', 'ACTIVE', 'ONHOLD', 'COMPLETED', 'REVOKED'] as const
export type ReferralStatus = (typeof referralStatuses)[number]

/** What callers do to a referral; `complete` is done by the last open task. */
export const referralActions = ['change', 'send', 'hold', 'resume', 'revoke', 'reroute', 'complete'] as const
export type ReferralAction = (typeof referralActions)[number]

type Moves = Readonly<Partial<Record<ReferralStatus, ReferralStatus>>>

/** For each action: from which status to which. */
const referralTransitions: Readonly<Record<ReferralAction, Moves>> = {
  change: { DRAFT: 'DRAFT' },
  send: { DRAFT: 'ACTIVE' },
  hold: { ACTIVE: 'ONHOLD' },
  resume: { ONHOLD: 'ACTIVE' },
  revoke: { DRAFT: 'REVOKED', ACTIVE: 'REVOKED', ONHOLD: 'REVOKED', COMPLETED: 'REVOKED', REVOKED: 'REVOKED' },
  reroute: { ACTIVE: 'ACTIVE' },
  complete: { ACTIVE: 'COMPLETED' },
}

export const taskStatuses = [
  'REQUESTED',
  'RECEIVED',
  'ACCEPTED',
  'REJECTED',
  'CANCELLED',
  'INPROGRESS',
  'COMPLETED',
  'ONHOLD',
  'FAILED',
] as const
export type TaskStatus = (typeof taskStatuses)[number]

export const taskTransitions: Readonly<Record<TaskStatus, readonly TaskStatus[]>> = {
  REQUESTED: ['RECEIVED', 'CANCELLED'],
  RECEIVED: ['ACCEPTED', 'REJECTED', 'CANCELLED'],
  ACCEPTED: ['INPROGRESS', 'CANCELLED'],
  INPROGRESS: ['COMPLETED', 'ONHOLD', 'FAILED'],
  ONHOLD: ['INPROGRESS', 'CANCELLED'],
  REJECTED: [],
  CANCELLED: [],
  COMPLETED: [],
  FAILED: [],
}

/** Still somebody's work. Revoking a referral cancels these, also where the table above has no such move. */
export const openTaskStatuses = taskStatuses.filter((status) => taskTransitions[status].length > 0)

/** Not yet accepted: the time limit for accepting still runs. */
export const unansweredTaskStatuses: readonly TaskStatus[] = ['REQUESTED', 'RECEIVED']

export function nextReferralStatus(status: ReferralStatus, action: ReferralAction): ReferralStatus | undefined {
  return referralTransitions[action][status]
}

/** The statuses in which an action is possible. */
export function statusesFor(action: ReferralAction): readonly ReferralStatus[] {
  return referralStatuses.filter((status) => nextReferralStatus(status, action) !== undefined)
}

export const mayTaskMove = (from: TaskStatus, to: TaskStatus): boolean => taskTransitions[from].includes(to)

/** The statuses from which a task can become this one. */
export const taskStatusesBefore = (to: TaskStatus): readonly TaskStatus[] =>
  taskStatuses.filter((from) => mayTaskMove(from, to))
