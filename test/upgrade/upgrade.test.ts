import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Bundle, Patient } from '../../packages/fhir/r4.ts'
import { silentLog } from '../../packages/log/log.ts'
import { openDatabase } from '../../packages/sql/database.ts'
import { sql } from '../../packages/sql/sql.ts'
import { demoToken } from '../../packages/testkit/demo-token.ts'
import { openHl7Sender } from '../../packages/testkit/hl7-sender.ts'
import { testCorridor } from '../../packages/testkit/test-corridor.ts'
import { testDatabase, type TestDatabase } from '../../packages/testkit/test-database.ts'
import { verifyAuditRecords } from '../../services/bridge/audit/store/audit-records.ts'
import { verifyChains as verifyConsent } from '../../services/consent/audit/verify-chains.ts'
import { admin, ConsentClient } from '../../services/consent/testing/consent-client.ts'
import { verifyChains as verifyFhir } from '../../services/fhir/audit/verify-chain.ts'
import { amara, referralApi } from '../../services/referral/testing/referral-api.ts'
import { KeptDatabase, keptDatabases } from './kept-database.ts'

describe.each(await keptDatabases())('the database of an older version, %s', async (file) => {
  const kept = await KeptDatabase.read(file)
  let database: TestDatabase

  beforeAll(async () => {
    database = await testDatabase()
    await kept.restore(database.url)
  })

  afterAll(() => database.drop())

  it('was made by migrations that nobody has changed since', async () => {
    const now = await openDatabase({ url: database.url, log: silentLog })
    const checksums = await now.many<object>(
      sql`select owner, number, checksum from kit.migrations order by owner, number`,
    )
    await now.close()
    const then = kept.rows<{ owner: string; number: number; checksum: string }>('kit.migrations')
    expect(checksums).toHaveLength(then.length)
    expect(then).toEqual(expect.arrayContaining(checksums.map((row) => expect.objectContaining(row))))
  })

  it('is brought up to date by a start, which finds in it what was there, and goes on with it', async () => {
    await using corridor = await testCorridor({ databaseUrl: database.url })
    const headers = { authorization: `Bearer ${await demoToken(corridor.url('auth'))}` }
    const ask = async <T>(url: string): Promise<T> => (await (await fetch(url, { headers })).json()) as T

    const messages = kept.rows<{ id: string; status: string; control_id: string }>('bridge.transactions')
    const listed = await ask<{ content: { transactionId: string; status: string; controlId: string }[] }>(
      `${corridor.url('bridge')}/api/transactions?size=100`,
    )
    expect(sorted(listed.content.map((one) => `${one.transactionId} ${one.status} ${one.controlId}`))).toEqual(
      sorted(messages.map(({ id, status, control_id }) => `${id} ${status} ${control_id}`)),
    )

    const [raw = ''] = kept.rows<{ raw: string }>('bridge.raw_messages').map((row) => textOf(row.raw))
    const [, number = ''] = /^PID\|1\|\|([^^]+)/m.exec(raw.replaceAll('\r', '\n')) ?? []
    const patients = () => ask<Bundle<Patient>>(`${corridor.url('fhir')}/Patient?identifier=${number}`)
    const before = await patients()
    expect(before.entry).toHaveLength(1)
    const { id = '' } = before.entry?.[0]?.resource ?? {}

    await using his = await openHl7Sender({ host: '127.0.0.1', port: corridor.configuration.bridge.channels.adt.port })
    const moved = raw.replace('A01^ADT_A01', 'A08^ADT_A01').replace('-1|P|', '-UP|P|').replace('+221', '+220')
    expect(await his.send(moved)).toMatchObject({ ackCode: 'AA' })
    const after = await patients()
    expect(after.entry?.map(({ resource }) => [resource?.id, resource?.telecom?.[0]?.value?.slice(0, 4)])).toEqual([
      [id, '+220'],
    ])

    const consents = new ConsentClient(corridor)
    for (const record of kept.rows<{ id: number; status: string }>('consent.records'))
      expect((await consents.get(`/${record.id}`, admin)).body).toMatchObject({ id: record.id, status: record.status })
    const referrals = referralApi(corridor)
    for (const { id: referral, status } of kept.rows<{ id: number; status: string }>('referral.referrals'))
      expect((await referrals(`GET /api/referrals/${referral}`, amara)).body).toMatchObject({ id: referral, status })

    const now = await openDatabase({ url: database.url, log: silentLog })
    expect((await verifyFhir(now)).filter((verdict) => verdict.is !== 'whole')).toEqual([])
    expect((await verifyConsent(now)).broken).toEqual([])
    expect(await verifyAuditRecords(now)).toMatchObject({ is: 'whole' })
    await now.close()
    expect(corridor.log.events().filter(({ level }) => level === 'error')).toEqual([])
  })
})

const sorted = (words: readonly string[]) => [...words].sort()
const textOf = (bytea: string) => Buffer.from(bytea.slice(2), 'hex').toString()
