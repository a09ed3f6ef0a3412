import { unavailable } from '../../../../packages/faults/fault.ts'
import type { Guide } from './guide.ts'
import { fullName } from './tour-patient.ts'

interface Referral {
  readonly id: number
  readonly status: string
}

interface Task {
  readonly id: number
  readonly status: string
}

interface Gate {
  readonly passes: boolean
  readonly checks: readonly {
    readonly resourceType: string
    readonly outcome: string
    readonly reason: string | null
  }[]
}

const lakeside = { receivingFacilityClientId: 'lakeside-clinic', performerId: 'Organization/lakeside-clinic' }

/** From draft to closed loop between two facilities. Returns the address of its page. */
export async function referPatient(patientId: string, guide: Guide): Promise<string> {
  const { narrator, configuration, admin } = guide
  narrator.heading('4  A referral to a second facility', 'Central Hospital → Lakeside Clinic')
  narrator.say(
    `${fullName(guide.patient)} needs a kidney specialist. The referral names what Lakeside Clinic may read; before it is sent, the consent gate asks whether the patient lets them.`,
  )
  narrator.lines([''])
  const draft = await admin.send<Referral>('POST', 'referral', '/api/referrals', {
    ...{ patientId, requesterId: 'Practitioner/dr-amara', ...lakeside, priority: 'URGENT' },
    ...{ referralDisplay: 'Nephrology', reasonCodes: ['E87.5'], clinicalNote: 'Potassium 6.8 mmol/L.' },
    sharedResourceTypes: ['Observation', 'DiagnosticReport'],
  })
  await showGate(draft, guide)
  await admin.send('POST', 'referral', `/api/referrals/${draft.id}/send`)
  await workThrough(draft, guide)
  const { status } = await admin.get<Referral>('referral', `/api/referrals/${draft.id}`)
  narrator.lines([
    '',
    `Its last task is done, so the referral is ${narrator.colour('bold', status)}: the loop is closed.`,
  ])
  return `${configuration.referral.url}/referrals/${draft.id}`
}

async function showGate({ id }: Referral, { narrator, admin, configuration }: Guide): Promise<void> {
  const { passes, checks } = await admin.get<Gate>('referral', `/api/referrals/${id}/gate`)
  for (const { resourceType, outcome, reason } of checks) {
    const verdict = reason?.split('; ').at(-1) ?? 'the consent service gave no answer'
    narrator.lines([
      `${narrator.colour(outcome === 'PERMITTED' ? 'green' : 'red', 'gate')}  ${resourceType.padEnd(17)} ${verdict}`,
    ])
  }
  if (passes) return
  throw unavailable(
    `The consent gate is closed for Lakeside Clinic. Somebody has changed the demo's consents: ${configuration.consent.url}/admin/records`,
  )
}

/** The two sides take turns: the clinic moves its task, as its own account. */
async function workThrough({ id }: Referral, { narrator, lakeside: clinic, clock }: Guide): Promise<void> {
  const startedMs = clock.monotonicMs()
  const step = (who: string, what: string) => {
    const after = `${Math.round(clock.monotonicMs() - startedMs)} ms`
    narrator.lines([`${narrator.colour('green', what.padEnd(11))} ${after.padStart(7)}  ${who}`])
  }
  step('Central Hospital sends it to the inbox of Lakeside Clinic', 'REQUESTED')
  const path = `/api/referrals/${id}/tasks`
  const [task] = await clinic.get<readonly Task[]>('referral', path)
  for (const [status, words] of steps) {
    const { status: now } = await clinic.send<Task>('PATCH', 'referral', `${path}/${task?.id ?? ''}`, { status })
    step(`Lakeside Clinic ${words}`, now)
  }
}

const steps = [
  ['RECEIVED', 'has seen it'],
  ['ACCEPTED', 'takes the patient on'],
  ['INPROGRESS', 'has begun'],
  ['COMPLETED', 'is done'],
] as const
