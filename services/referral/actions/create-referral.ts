import type { Transaction } from '../../../packages/sql/database.ts'
import { settledId } from '../../../ports/patient-index/merges/merge-table.ts'
import type { ReferralDeps } from '../deps.ts'
import type { CountedReferral, ReferralDraft } from '../referral.ts'
import { noteForm } from '../store/kept-forms.ts'
import { mergeTables } from '../store/merged-patients.ts'
import { addReferral } from '../store/referrals.ts'
import { actorOf, type Call } from './call.ts'
import { record } from './record.ts'

/** A draft, of the survivor where its patient was merged: nobody is asked, nobody is told, nothing is promised. */
export async function createReferral(draft: ReferralDraft, call: Call, deps: ReferralDeps): Promise<CountedReferral> {
  const id = await deps.referralIds.next()
  return deps.database.transaction((tx) => add(id, draft, call, deps, tx))
}

/** The same, once for each form that says it. */
export async function createByForm(
  form: string,
  draft: ReferralDraft,
  call: Call,
  deps: ReferralDeps,
): Promise<{ readonly id: number; readonly isNew: boolean }> {
  const id = await deps.referralIds.next()
  return deps.database.transaction(async (tx) => {
    const made = await noteForm({ form, by: call.caller.subject }, id, tx)
    const isNew = made === id
    if (isNew) await add(id, draft, call, deps, tx)
    return { id: made, isNew }
  })
}

async function add(id: number, draft: ReferralDraft, call: Call, deps: ReferralDeps, tx: Transaction) {
  const actor = actorOf(call)
  const now = deps.clock.now()
  const patientId = await settledId(draft.patientId, mergeTables, tx)
  const referral = await addReferral(id, { ...draft, patientId }, actor, now, tx)
  const step = { action: 'create', taskId: null, from: null, to: 'DRAFT', reason: null }
  await record({ referral, at: now, actor, steps: [step], tell: [], what: 'created' }, tx, deps)
  return referral
}
