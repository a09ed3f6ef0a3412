import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serviceNames } from '../../apps/corridor/service-names.ts'
import { openHl7Sender } from '../../packages/testkit/hl7-sender.ts'
import { testCorridor, type TestCorridor } from '../../packages/testkit/test-corridor.ts'
import { waitFor } from '../../packages/testkit/wait-for.ts'
import { sample } from '../../services/bridge/testing/flow-world.ts'
import { insist } from './crowd/insist.ts'
import { platformWrites, readinessOf } from './crowd/platform-calls.ts'

let corridor: TestCorridor
let operator: Client
let databaseName: string

beforeAll(async () => {
  corridor = await testCorridor()
  operator = new Client({ connectionString: corridor.databaseUrl })
  await operator.connect()
  databaseName = new URL(corridor.databaseUrl).pathname.slice(1)
}, 60_000)

afterAll(async () => {
  await operator?.end()
  await corridor?.[Symbol.asyncDispose]()
})

/** As a failover leaves it: sessions end, and new ones find a server that takes no writes. */
async function makeReadOnly(): Promise<void> {
  await operator.query(
    `alter database ${operator.escapeIdentifier(databaseName)} set default_transaction_read_only = on`,
  )
  await operator.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()',
    [databaseName],
  )
}

/** Nobody ends the sessions that were opened meanwhile: Corridor must leave them by itself. */
const makeWritable = () =>
  operator.query(`alter database ${operator.escapeIdentifier(databaseName)} reset default_transaction_read_only`)

const everywhere = (wanted: number) => async () =>
  (await Promise.all(serviceNames.map((name) => readinessOf(corridor, name)))).every((status) => status === wanted)

/** What the alert CorridorUnwell looks at: it fires where one of them stays 0 for two minutes. */
async function databaseParts(): Promise<readonly string[]> {
  const metrics = await (await fetch(`${new URL(corridor.url('auth')).origin}/actuator/prometheus`)).text()
  return [...metrics.matchAll(/^corridor_health_up\{service="\w+",part="database"\} (.*)$/gm)].map(([, up = '']) => up)
}

const allParts = (up: '0' | '1') => serviceNames.map(() => up)

const counts = async () =>
  (
    await operator.query<Record<string, string>>(`
      select (select count(*) from consent.records) as consents, (select count(*) from referral.referrals) as referrals,
        (select count(*) from fhir.versions where type = 'Observation') as observations,
        (select count(*) from bridge.transactions) as messages`)
  ).rows[0]

async function sendMessage(controlId: string): Promise<string> {
  await using sender = await openHl7Sender({ host: '127.0.0.1', port: corridor.configuration.bridge.channels.adt.port })
  return (await sender.send(sample({ controlId, patient: 'read-only' }), { deadlineMs: 40_000 })).ackCode
}

describe('a database that takes no writes', () => {
  it('makes every service not ready, and leaves every process alive', async () => {
    await makeReadOnly()
    await waitFor(everywhere(503), { what: 'every service to say that it is not ready', deadlineMs: 20_000 })
    for (const name of serviceNames) {
      const { origin } = new URL(corridor.url(name))
      expect((await fetch(`${origin}/actuator/health/liveness`)).status).toBe(200)
    }
  })

  it('is what whoever has the pager is told of', async () => {
    await expect.poll(databaseParts).toEqual(allParts('0'))
  })

  it.each(platformWrites)(
    'refuses $what of $service as a thing of the moment, and writes no half of it',
    async ({ send }) => {
      const before = await counts()
      const answer = await send(corridor)
      expect([answer.status, await counts()]).toEqual([503, before])
      expect(answer.headers.get('retry-after')).not.toBeNull()
      expect(await answer.text()).not.toMatch(/read-only|SQLSTATE|insert into/i)
    },
  )

  it('is told to a sender of messages as AE, which means: later', async () => {
    expect(await sendMessage('RO-1')).toBe('AE')
  })

  it('still lets records be read', async () => {
    const headers = { authorization: await corridor.bearerFor({ role: 'SYSTEM', scope: 'system/*.cruds' }) }
    expect((await fetch(`${corridor.url('fhir')}/Patient/amina-diallo`, { headers })).status).toBe(200)
  })

  it('is used again as soon as it takes writes, without a restart', async () => {
    await makeWritable()
    await waitFor(everywhere(200), { what: 'every service to be ready', deadlineMs: 30_000 })
    // A session that was opened meanwhile takes no writes still: whoever meets one is told so, and nobody meets it again.
    for (const { send, what } of platformWrites) {
      const { status } = await insist(() => send(corridor))
      expect([what, status < 400]).toEqual([what, true])
    }
    await waitFor(async () => (await sendMessage('RO-1')) === 'AA', { what: 'an AA' })
    await expect.poll(databaseParts).toEqual(allParts('1'))
  })
})
