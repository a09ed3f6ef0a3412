import type { Caller } from '../../packages/tokens/caller.ts'
import { mayAct, ownersOf, ownersOfTaskMove, rulesOfDrafts, type PartyDeps } from './party-rules.ts'
import type { CountedReferral, Referral, ReferralTask } from './referral.ts'
import { nextReferralStatus, taskTransitions, type TaskStatus } from './transitions.ts'

/** Those that are one step; to change a draft is a form of its own. */
export const steps = ['send', 'hold', 'resume', 'revoke', 'reroute'] as const
export const offeredActions = [...steps, 'change'] as const
export type OfferedAction = (typeof offeredActions)[number]

/** What this caller could do to the referral now. Sending and re-routing may still fail at the consent gate. */
export function availableActions(referral: CountedReferral, caller: Caller, deps: PartyDeps): OfferedAction[] {
  if (!hasActingRole(caller)) return []
  return offeredActions.filter((action) => {
    if (nextReferralStatus(referral.status, action) === undefined) return false
    if (action === 'revoke' && referral.status === 'REVOKED') return false
    if (action === 'reroute' && referral.openTasks > 0) return false
    return mayAct(caller, referral, ownersOf[action], action === 'change' ? rulesOfDrafts(deps) : deps)
  })
}

/** The statuses that this caller could give the task now. */
export function availableMoves(task: ReferralTask, referral: Referral, caller: Caller, deps: PartyDeps): TaskStatus[] {
  if (!hasActingRole(caller) || referral.status !== 'ACTIVE') return []
  return taskTransitions[task.status].filter((to) => mayAct(caller, referral, ownersOfTaskMove(task.status, to), deps))
}

const hasActingRole = ({ roles }: Caller) => roles.has('CLINICIAN') || roles.has('ADMIN')
