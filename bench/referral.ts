import { createReferral } from '../services/referral/actions/create-referral.ts'
import { moveTask } from '../services/referral/actions/move-task.ts'
import { sendReferral } from '../services/referral/actions/send-referral.ts'
import { inboxOf } from '../services/referral/store/referral-lists.ts'
import { tasksOf } from '../services/referral/store/tasks.ts'
import type { ReferralDraft } from '../services/referral/referral.ts'
import { benchmark, type Round } from './harness/benchmark.ts'
import { repeat } from './harness/repeat.ts'
import { benchCall, referralWorld, type ReferralWorld } from './referral/world.ts'

interface World extends AsyncDisposable {
  readonly small: ReferralWorld
  readonly large: ReferralWorld
}

const callers = 16

const draft: ReferralDraft = {
  ...{ patientId: 'Patient/p1', requesterId: 'Practitioner/d1', receivingFacilityClientId: 'facility-1' },
  ...{ performerId: null, referralCode: null, referralDisplay: null, priority: 'ROUTINE', clinicalNote: null },
  ...{ reasonCodes: ['I10'], sharedResourceTypes: [], supportingInfo: [], occurrenceDate: null },
}

export default benchmark<World>({
  name: 'referral',
  title: `${callers} callers read inboxes, and take referrals from draft to completed: 10,000 referrals against a million`,
  unit: 'operations/s',
  async setup({ progress }) {
    await using stack = new AsyncDisposableStack()
    const small = stack.use(await referralWorld(10_000, progress))
    const large = stack.use(await referralWorld(1_000_000, progress))
    const owned = stack.move()
    return { small, large, [Symbol.asyncDispose]: () => owned.disposeAsync() }
  },
  variants: {
    'inbox of 10,000': ({ small }, round) => readInboxes(small, round),
    'inbox of 1,000,000': ({ large }, round) => readInboxes(large, round),
    'transitions among 10,000': ({ small }, round) => takeThrough(small, round),
    'transitions among 1,000,000': ({ large }, round) => takeThrough(large, round),
  },
})

const readInboxes = ({ deps, performers }: ReferralWorld, round: Round) =>
  repeat(round, callers, (number) =>
    inboxOf({ performerId: `Organization/${(number * 7_919) % performers}` }, ['ACTIVE'], 0, 1_001, deps.database),
  )

/** Six transitions each: created, sent, received, accepted, begun, completed. */
async function takeThrough({ deps }: ReferralWorld, round: Round): Promise<number> {
  const referrals = await repeat(round, callers, async () => {
    const { id } = await createReferral(draft, benchCall, deps)
    await sendReferral(id, benchCall, deps)
    const [task] = await tasksOf(id, deps.database)
    for (const status of ['RECEIVED', 'ACCEPTED', 'INPROGRESS', 'COMPLETED'] as const) {
      const ids = { referralId: id, taskId: task?.id ?? 0 }
      await moveTask(ids, { status, note: null, rejectionReason: null }, benchCall, deps)
    }
  })
  return referrals * 6
}
