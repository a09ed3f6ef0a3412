import { SimulatedClock } from '../../../packages/clock/simulated-clock.ts'
import { systemIds } from '../../../packages/clock/ids.ts'
import { traceOf } from '../../../packages/http/trace.ts'
import { silentLog } from '../../../packages/log/log.ts'
import { openDatabase } from '../../../packages/sql/database.ts'
import { JobQueue } from '../../../packages/sql/tasks/job-queue.ts'
import { kitMigrations, migrate } from '../../../packages/sql/migrate/migrate.ts'
import { Outbox } from '../../../packages/sql/tasks/outbox.ts'
import { templateDatabase, testDatabase } from '../../../packages/testkit/test-database.ts'
import type { Caller } from '../../../packages/tokens/caller.ts'
import { unavailableConsent } from '../../../ports/consent/unavailable-consent.ts'
import type { Call } from '../actions/call.ts'
import type { ReferralDeps } from '../deps.ts'
import { facilityDirectory } from '../facilities.ts'
import type { ReferralDraft } from '../referral.ts'
import { idsOf } from '../store/id-blocks.ts'

/** A referral that shares nothing, asks for nothing and is in no hurry. */
export const plainDraft: ReferralDraft = {
  ...{ patientId: 'Patient/p1', requesterId: 'Practitioner/d1', receivingFacilityClientId: 'lakeside-clinic' },
  ...{ performerId: null, referralCode: null, referralDisplay: null, priority: 'ROUTINE', clinicalNote: null },
  ...{ reasonCodes: [], sharedResourceTypes: [], supportingInfo: [], occurrenceDate: null },
}

export interface ReferralWorld extends AsyncDisposable {
  readonly clock: SimulatedClock
  readonly deps: ReferralDeps
}

/** The use cases on a database of their own, with a clock that a test moves. */
export async function referralWorld(): Promise<ReferralWorld> {
  const template = await templateDatabase('referral', async (url) => {
    await migrate(url, [kitMigrations, { owner: 'referral', folder: new URL('../migrations/', import.meta.url) }])
  })
  const fresh = await testDatabase({ template })
  const database = await openDatabase({ url: fresh.url, poolMax: 4, log: silentLog })
  const clock = new SimulatedClock()
  const kit = { database, clock, ids: systemIds, log: silentLog }
  const webhook = { url: 'http://127.0.0.1:1/', secret: 'secret' }
  const deps: ReferralDeps = {
    ...kit,
    partyRules: 'parties',
    fhirProjection: true,
    acceptWithinSeconds: { STAT: 900, ASAP: 14_400, URGENT: 86_400, ROUTINE: 259_200 },
    referralIds: idsOf('referrals', database),
    taskIds: idsOf('tasks', database),
    outbox: new Outbox(kit),
    jobs: new JobQueue(kit),
    facilities: facilityDirectory(
      ['central-hospital', 'lakeside-clinic', 'hill-clinic'].map((clientId) => ({
        ...{ clientId, organisation: undefined, webhook, phone: undefined, email: undefined },
      })),
    ),
    notifier: { channelsOf: () => ['webhook'], notify: async () => {} },
    consent: unavailableConsent,
    ownDocuments: async () => [],
    formerIdsOf: async () => [],
    resourceTypes: new Set(['Observation']),
  }
  return {
    clock,
    deps,
    async [Symbol.asyncDispose]() {
      await database.close()
      await fresh.drop()
    },
  }
}

/** A call by a clinician of this organisation. */
export function callBy(subject: string, organisation: string): Call {
  const caller: Caller = {
    ...{ subject, organisation, clientId: 'demo-app', roles: new Set(['CLINICIAN'] as const), scope: '' },
    ...{ patient: undefined, encounter: undefined, fhirUser: undefined, tokenId: 't', grantId: undefined },
    expiresAt: new Date('2030-01-01T00:00:00Z'),
  }
  return { caller, request: { id: 'r-1', peer: '127.0.0.1', trace: traceOf({}, systemIds) } }
}
