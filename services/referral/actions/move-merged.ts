import type { Transaction } from '../../../packages/sql/database.ts'
import type { Merge } from '../../../ports/patient-index/merges/merge-table.ts'
import type { ReferralDeps } from '../deps.ts'
import { systemActor } from '../referral.ts'
import { moveReferrals } from '../store/referrals.ts'
import { record } from './record.ts'

/** The referrals of somebody who was merged are the survivor's; nobody is told, for nothing was asked of either side. */
export async function moveMerged(merge: Merge, tx: Transaction, deps: ReferralDeps): Promise<number> {
  const now = deps.clock.now()
  const moved = await moveReferrals(merge, now, tx)
  for (const referral of moved) {
    const { status } = referral
    const reason = `${merge.from} was merged into ${merge.to}`
    const step = { action: 'merge', taskId: null, from: status, to: status, reason }
    await record({ referral, at: now, actor: systemActor, steps: [step], tell: [], what: 'merged' }, tx, deps)
  }
  return moved.length
}
