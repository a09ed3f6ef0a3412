import { expect, it } from 'vitest'
import { sql } from '../../packages/sql/sql.ts'
import { pass, refuse } from '../../packages/testkit/fault-modes.ts'
import { openHl7Sender } from '../../packages/testkit/hl7-sender.ts'
import { waitFor } from '../../packages/testkit/wait-for.ts'
import { proxiedCorridor } from './places/proxied-corridor.ts'

const attemptsMax = 3

it('what was parked while nobody could be reached at the store goes through when it is back, however long that was', async () => {
  await using place = await proxiedCorridor('fhir', {
    ...{ 'bridge.breaker.openMs': '50', 'bridge.breaker.openMsMax': '100' },
    'bridge.channels.adt.retry.maxAttempts': String(attemptsMax),
    ...{ 'bridge.channels.adt.retry.baseMs': '50', 'bridge.channels.adt.retry.maxMs': '100' },
  })
  const { corridor, proxy, database } = place
  await using his = await openHl7Sender({ host: '127.0.0.1', port: corridor.configuration.bridge.channels.adt.port })
  expect(await his.send(message('A-1', 'ANNA'))).toMatchObject({ ackCode: 'AA' })
  await proxy.set(refuse)
  expect(await his.send(message('A-2', 'BERTA'))).toMatchObject({ ackCode: 'AA', text: 'Queued' })
  const rows = () =>
    database.many<{ status: string; attempts: number; runs: number }>(sql`
      select t.status, t.attempts, (select count(*)::int from bridge.attempts a where a.transaction_id = t.id) as runs
        from bridge.transactions t where t.control_id = 'A-2'`)
  const trialsAreMany = async () => ((await rows())[0]?.runs ?? 0) > 3 * attemptsMax
  await waitFor(trialsAreMany, { what: 'many trials', deadlineMs: 30_000, everyMs: 50 })
  expect(await rows()).toMatchObject([{ status: 'QUEUED', attempts: 1 }])
  await proxy.set(pass)
  const isThrough = async () => (await rows())[0]?.status === 'SUCCESS'
  await waitFor(isThrough, { what: 'the message to be through', deadlineMs: 30_000, everyMs: 50 })
})

const message = (controlId: string, given: string) =>
  `MSH|^~\\&|HIS|CENTRAL|HUB|CORRIDOR|20260304||ADT^A08|${controlId}|P|2.5.1\rPID|1||AWAY-1^^^CENTRAL^MR||DOE^${given}||19800101|F\r`
