import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { systemClock } from '../../../packages/clock/clock.ts'
import { systemIds, systemRandom } from '../../../packages/clock/ids.ts'
import { makeCertificate } from '../../../packages/keys/certificate.ts'
import { silentLog } from '../../../packages/log/log.ts'
import { Metrics } from '../../../packages/metrics/metrics.ts'
import { openDatabase, type Database } from '../../../packages/sql/database.ts'
import { Outbox } from '../../../packages/sql/tasks/outbox.ts'
import { sql } from '../../../packages/sql/sql.ts'
import { hang, pass, refuse, reset, type FaultMode } from '../../../packages/testkit/fault-modes.ts'
import { startFaultProxy } from '../../../packages/testkit/fault-proxy.ts'
import type { TestDatabase } from '../../../packages/testkit/test-database.ts'
import { waitFor } from '../../../packages/testkit/wait-for.ts'
import type { AuditRepository } from '../../../ports/audit-repository/audit-repository.ts'
import { syslogAuditRepository } from '../../../ports/audit-repository/syslog-audit-repository.ts'
import { unavailableFhirStore } from '../../../ports/fhir-store/unavailable-fhir-store.ts'
import type { Finished } from '../pipeline/finished.ts'
import { publishBoundaries } from '../pipeline/boundaries.ts'
import { tellingPart, type Telling } from '../pipeline/telling.ts'
import { bridgeDatabase } from '../testing/bridge-database.ts'
import { auditTelling } from './audit-telling.ts'
import { AuditReceiver } from './receiver.ts'
import { sendToRepository } from './send-audit.ts'
import { startAudit } from './start-audit.ts'
import { verifyAuditRecords } from './store/audit-records.ts'
import { finishedMessage } from './testing/finished-messages.ts'
import { casesOf } from '../../../packages/testkit/extent.ts'

let server: TestDatabase
let database: Database
beforeAll(async () => {
  server = await bridgeDatabase()
  database = await openDatabase({ url: server.url, poolMax: 6, log: silentLog })
})
afterAll(async () => {
  await database.close()
  await server.drop()
})
beforeEach(async () => {
  await database.run(sql`truncate kit.outbox, bridge.audit_records`)
  await database.run(sql`update bridge.audit_chain set length = 0, head_hash = ''`)
})

const oneMoreRecord = sql`
  insert into bridge.audit_records (position, digest, record, hash, received_at)
  values (6, 'd', 'never sent', 'h', now())`

const kit = { clock: systemClock, ids: systemIds, random: systemRandom, log: silentLog }
const graceMs = (wantedMs: number) => wantedMs
const deps = () => ({ ...kit, metrics: new Metrics(), database, passBoundary: publishBoundaries(), graceMs })
const source = { sourceId: 'corridor-bridge', site: undefined, patientAuthority: 'CORRIDOR' }
const whileAway = casesOf({ daily: 200, long: 16_800 })
const messages = (count: number, from = 0): Finished[] =>
  Array.from({ length: count }, (_, n) =>
    finishedMessage({ transactionId: `t-${from + n}`, controlId: `c-${from + n}` }),
  )
const spooled = async () => (await database.many(sql`select 1 from kit.outbox`)).length

/** The records as the core writes them: one statement for the messages of a commit. */
async function finish(telling: Telling, finished: readonly Finished[]) {
  const part = tellingPart([telling], new Outbox(deps()))
  const statement = part.statement(finished)
  if (statement !== undefined) await database.run(statement)
  part.committed(finished)
}

describe('audit', () => {
  it('keeps one record a message in the embedded repository, and the chain holds', async () => {
    const section = {
      ...{
        repositoryHost: undefined,
        repositoryPort: 6514,
        repositoryCaFile: undefined,
        receiverPort: 0,
        toFhir: false,
      },
      ...{ certificateFile: undefined, keyFile: undefined, ...source },
    }
    const audit = await startAudit(section, { ...deps(), mode: 'demo', fhirStore: unavailableFhirStore })
    await finish(audit.telling, messages(700))
    await finish(audit.telling, [
      finishedMessage({ outcome: { status: 'DUPLICATE', of: 't-1', hasOtherContent: false } }),
    ])
    await audit.drain()
    await audit.close()
    expect(await verifyAuditRecords(database)).toEqual({ is: 'whole', records: 701 })
    expect(await spooled()).toBe(0)
    const kinds = await database.many(sql`
      select patient, source_user as "sourceUser", event_id as "eventId", event_type as "eventType", outcome,
             count(*)::integer as count
        from bridge.audit_records group by 1, 2, 3, 4, 5 order by count`)
    const alike = { sourceUser: 'CENTRAL|HIS', eventId: '110110', eventType: 'ITI-8', outcome: '0' }
    expect(kinds).toEqual([
      { ...alike, patient: null, count: 1 },
      { ...alike, patient: 'g1', count: 700 },
    ])
  })

  it('tells until when the certificate is good that it shows to a repository', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'corridor-audit-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const [certificateFile, keyFile] = [join(folder, 'own.crt'), join(folder, 'own.key')]
    const valid = { from: new Date('2026-01-01T00:00:00Z'), to: new Date('2033-05-18T03:33:20Z') }
    const { cert, key } = await makeCertificate({ name: 'corridor', valid })
    await writeFile(certificateFile, cert)
    await writeFile(keyFile, key)
    const section = {
      ...{ repositoryHost: '127.0.0.1', repositoryPort: 6514, repositoryCaFile: undefined, receiverPort: 0 },
      ...{ toFhir: false, certificateFile, keyFile, ...source },
    }
    const own = { ...deps(), mode: 'production', fhirStore: unavailableFhirStore } as const
    await (await startAudit(section, own)).close()
    expect(await own.metrics.text()).toContain(
      'corridor_tls_certificate_expiry_timestamp_seconds{certificate="bridge.audit.certificateFile"} 2000000000',
    )
  })

  it.each<[string, FaultMode]>([
    ['refuses', refuse],
    ['resets', reset],
    ['takes everything and answers nothing', hang],
  ])(
    `loses none of ${whileAway} records and keeps none twice when the repository %s for a while`,
    async (_, mode) => {
      await using repository = await proxiedRepository(impatientMs)
      const outbox = new Outbox(deps())
      const telling = auditTelling(['syslog'], outbox, '1')
      const worker = sendToRepository(repository.client, source, { ...deps(), outbox })
      // As they come to their ends: some messages a commit.
      const commits = Array.from({ length: whileAway / 20 }, (__, n) => messages(20, n * 20))
      const before = commits.length / 4
      for (const commit of commits.slice(0, before)) await finish(telling, commit)
      await repository.proxy.set(mode)
      worker.start()
      await waitFor(() => repository.proxy.counts.accepted > 0 || mode.kind === 'refuse', { what: 'a first attempt' })
      for (const commit of commits.slice(before)) await finish(telling, commit)
      expect(await verifyAuditRecords(database)).toEqual({ is: 'whole', records: 0 })
      await repository.proxy.set(pass)
      await worker.drain()
      await worker.stop()
      expect(await verifyAuditRecords(database)).toEqual({ is: 'whole', records: whileAway })
      expect(await spooled()).toBe(0)
      const kept = await database.many<{ n: number }>(sql`
        select (regexp_match(record, 'ParticipantObjectID="t-([0-9]+)"'))[1]::int as n
        from bridge.audit_records order by n`)
      // Each says when it was; in which order they come is no promise.
      expect(kept.map(({ n }) => n)).toEqual(Array.from({ length: whileAway }, (__, n) => n))
    },
    600_000,
  )

  it('that the repository will not take one record of brings it all others, and that one is tried again later', async () => {
    // Nobody is silent here, so patience costs nothing.
    await using repository = await proxiedRepository(30_000)
    const outbox = new Outbox(deps())
    const telling = auditTelling(['syslog'], outbox, '1')
    const taken: string[] = []
    const client: AuditRepository = {
      async send(some, options) {
        await repository.client.send(some, options)
        taken.push(...some.map(({ xml }) => xml))
      },
    }
    const worker = sendToRepository(client, source, { ...deps(), outbox })
    const query = 'Q'.repeat(1_100_000)
    await finish(telling, messages(20))
    const long = finishedMessage({ transactionId: 't-long', messageType: 'QBP^Q22', query })
    await finish(telling, [...messages(10, 20), long])
    await finish(telling, messages(10, 30))
    worker.start()
    await waitFor(async () => (await spooled()) === 1, { what: 'the long record to be left alone' })
    await worker.stop()
    expect(await verifyAuditRecords(database)).toEqual({ is: 'whole', records: 40 })
    // The repository knows a record that it has by its bytes; others might not.
    expect([taken.length, new Set(taken).size]).toEqual([40, 40])
    expect(await database.many(sql`select attempts, last_error from kit.outbox`)).toEqual([
      { attempts: 1, last_error: expect.stringContaining('breaks off at this record') },
    ])
  })

  it('does not talk to a repository that it has no reason to trust, until it has', async () => {
    await using repository = await proxiedRepository(impatientMs)
    const other = await makeCertificate({ name: 'localhost' })
    let trust = { ca: other.cert }
    const client = syslogAuditRepository({
      ...{ host: 'h', app: 'a', clock: systemClock },
      repository: { host: '127.0.0.1', port: repository.port, tls: () => trust },
    })
    const message = { at: new Date(), processId: '1', xml: '<AuditMessage/>' }
    await expect(client.send([message])).rejects.toMatchObject({ kind: 'unavailable' })
    expect(await verifyAuditRecords(database)).toEqual({ is: 'whole', records: 0 })
    trust = { ca: repository.certificate.cert }
    await client.send([message])
    expect(await verifyAuditRecords(database)).toEqual({ is: 'whole', records: 1 })
  })

  it('ends the connection of a sender in the middle of its records when they cannot be kept', async () => {
    const certificate = await makeCertificate({ name: 'localhost' })
    const away = await openDatabase({ url: server.url, poolMax: 1, log: silentLog })
    await away.close()
    const receiver = await AuditReceiver.start(0, certificate, { ...deps(), database: away })
    const sender = connect({ host: '127.0.0.1', port: receiver.port, ca: certificate.cert })
    const closed = once(sender.resume(), 'close')
    sender.write('4 <a/>')
    await closed
    await receiver.close()
    expect(await verifyAuditRecords(database)).toEqual({ is: 'whole', records: 0 })
  })

  it('keeps a record with a NUL in it without that sign, and the chain holds', async () => {
    await using repository = await proxiedRepository()
    const xml = ['<AuditMessage n="1"/>', '<AuditMessage n="\0"/>', '<AuditMessage n="3"/>']
    await repository.client.send(xml.map((one) => ({ at: new Date(0), processId: '1', xml: one })))
    expect(await verifyAuditRecords(database)).toEqual({ is: 'whole', records: 3 })
  })

  it.each([
    ['edited', sql`update bridge.audit_records set record = record || ' ' where position = 3`, 3],
    ['removed', sql`delete from bridge.audit_records where position = 3`, 3],
    ['cut off at its end', sql`delete from bridge.audit_records where position = 5`, 5],
    ['exchanged', sql`update bridge.audit_records set hash = 'x' where position = 2`, 2],
    ['made longer', oneMoreRecord, 6],
  ])('a chain that was %s is found out', async (_, change, position) => {
    await using repository = await proxiedRepository()
    const sent = Array.from({ length: 5 }, (__, n) => ({
      at: new Date(n),
      processId: '1',
      xml: `<AuditMessage n="${n}"/>`,
    }))
    await repository.client.send(sent)
    await database.run(change)
    expect(await verifyAuditRecords(database)).toMatchObject({ is: 'broken', position })
  })
})

const impatientMs = casesOf({ daily: 1_000, long: 5_000 })

/** Impatient where it waits for the deadline of a send; else no busy machine shall come to it. */
async function proxiedRepository(deadlineMs = 20_000) {
  const certificate = await makeCertificate({ name: 'localhost' })
  const receiver = await AuditReceiver.start(0, certificate, deps())
  const proxy = await startFaultProxy({ port: receiver.port })
  const trust = { ca: certificate.cert }
  const client = syslogAuditRepository({
    ...{ host: 'bridge-1', app: 'corridor', clock: systemClock, deadlineMs },
    repository: { host: '127.0.0.1', port: proxy.port, tls: () => trust },
  })
  return {
    ...{ client, proxy, certificate, port: receiver.port },
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]()
      await receiver.close()
    },
  }
}
