import { systemClock } from '../../packages/clock/clock.ts'
import { systemIds } from '../../packages/clock/ids.ts'
import { traceOf } from '../../packages/http/trace.ts'
import { silentLog } from '../../packages/log/log.ts'
import { openDatabase } from '../../packages/sql/database.ts'
import { JobQueue } from '../../packages/sql/tasks/job-queue.ts'
import { kitMigrations, migrate } from '../../packages/sql/migrate/migrate.ts'
import { Outbox } from '../../packages/sql/tasks/outbox.ts'
import { sql } from '../../packages/sql/sql.ts'
import { unavailableConsent } from '../../ports/consent/unavailable-consent.ts'
import type { Call } from '../../services/referral/actions/call.ts'
import type { ReferralDeps } from '../../services/referral/deps.ts'
import { facilityDirectory } from '../../services/referral/facilities.ts'
import { idsOf } from '../../services/referral/store/id-blocks.ts'
import { startDurableDatabase } from '../harness/durable-database.ts'

export interface ReferralWorld extends AsyncDisposable {
  readonly deps: ReferralDeps
  /** How many performers there are; each has some twenty active referrals. */
  readonly performers: number
}

const referralsAPerformer = 40

/** The referral service's use cases on a durable database that already holds this many referrals. */
export async function referralWorld(referrals: number, progress: (text: string) => void): Promise<ReferralWorld> {
  await using stack = new AsyncDisposableStack()
  const { url } = stack.use(await startDurableDatabase(progress))
  const folder = new URL('../../services/referral/migrations/', import.meta.url)
  await migrate(url, [kitMigrations, { owner: 'referral', folder }])
  const database = await openDatabase({ url, poolMax: 16, statementTimeoutMs: 600_000, log: silentLog })
  stack.defer(() => database.close())
  const performers = referrals / referralsAPerformer
  progress(`Writing ${referrals} referrals`)
  await database.run(sql`
    insert into referral.referrals (id, status, priority, patient_id, requester_id, receiving_facility_client_id,
      performer_id, reason_codes, shared_resource_types, supporting_info, consent_verified, created_by,
      sending_client_id, created_at, updated_at, version)
    select n, (array['ACTIVE', 'ACTIVE', 'COMPLETED', 'DRAFT'])[1 + (n / ${performers}::int) % 4], n % 4,
      'Patient/' || n % 100000, 'Practitioner/d1', 'facility-' || n % ${performers}::int,
      'Organization/' || n % ${performers}::int, '{I10}', '{}', '{}', true, 'dr-' || n % 1000, 'demo-app',
      timestamptz '2026-01-01' + n * interval '1 second', timestamptz '2026-01-01', 1
    from generate_series(1, ${referrals}::int) n`)
  await database.run(sql`
    insert into referral.tasks (id, referral_id, status, receiving_facility_client_id, performer_id, accept_by,
      created_at, updated_at)
    select id, id, 'REQUESTED', receiving_facility_client_id, performer_id, created_at, created_at, created_at
    from referral.referrals where status = 'ACTIVE'`)
  await database.run(sql`update referral.id_blocks set next_id = ${referrals + 1}`)
  await database.run(sql`vacuum analyze referral.referrals, referral.tasks`)
  const kit = { database, clock: systemClock, ids: systemIds, log: silentLog }
  const deps: ReferralDeps = {
    ...kit,
    partyRules: 'off',
    fhirProjection: true,
    acceptWithinSeconds: { STAT: 900, ASAP: 14_400, URGENT: 86_400, ROUTINE: 259_200 },
    referralIds: idsOf('referrals', database),
    taskIds: idsOf('tasks', database),
    outbox: new Outbox(kit),
    jobs: new JobQueue(kit),
    facilities: facilityDirectory([]),
    notifier: { channelsOf: () => [], notify: async () => {} },
    consent: unavailableConsent,
    ownDocuments: async () => [],
    formerIdsOf: async () => [],
    resourceTypes: new Set(),
  }
  const owned = stack.move()
  return { deps, performers, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

export const benchCall: Call = {
  caller: {
    ...{ subject: 'dr-bench', clientId: 'demo-app', roles: new Set(['CLINICIAN'] as const), scope: '', tokenId: 't' },
    ...{ organisation: undefined, patient: undefined, encounter: undefined, fhirUser: undefined, grantId: undefined },
    expiresAt: new Date('2100-01-01T00:00:00Z'),
  },
  request: { id: 'bench', peer: '127.0.0.1', trace: traceOf({}, systemIds) },
}
