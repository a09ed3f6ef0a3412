import { expect, it } from 'vitest'
import { silentLog } from '../../packages/log/log.ts'
import { openDatabase } from '../../packages/sql/database.ts'
import { sql } from '../../packages/sql/sql.ts'
import { testCorridor } from '../../packages/testkit/test-corridor.ts'
import { waitFor } from '../../packages/testkit/wait-for.ts'
import { amara, fullDraft, referralApi } from '../../services/referral/testing/referral-api.ts'

const evaluations = sql`
  select distinct subject, client_id, decision_id is not null as decided, peer is null as is_local
  from consent.audit_events where client_id = 'svc-referral'`

it.each([
  { how: 'in the process they share', apart: false },
  { how: 'at their addresses when they are apart', apart: true },
])('services reach each other $how, and what was asked is audited under the same name', async ({ apart }) => {
  await using corridor = await testCorridor({ services: ['auth', 'consent', 'referral'], apart })
  const database = await openDatabase({ url: corridor.databaseUrl, poolMax: 1, log: silentLog })
  try {
    const call = referralApi(corridor)
    const { body } = await call('POST /api/referrals', amara, { ...fullDraft, sharedResourceTypes: ['Observation'] })
    await call(`POST /api/referrals/${body.id}/send`, amara)
    await waitFor(async () => (await database.many(evaluations)).length > 0, { what: 'the question in the audit' })
    expect(await database.many(evaluations)).toEqual([
      { subject: 'client:svc-referral', client_id: 'svc-referral', decided: true, is_local: !apart },
    ])
  } finally {
    await database.close()
  }
})
