import { createServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import { systemClock } from '../../../packages/clock/clock.ts'
import { systemIds } from '../../../packages/clock/ids.ts'
import { unavailable } from '../../../packages/faults/fault.ts'
import { silentLog, type Log } from '../../../packages/log/log.ts'
import { Metrics } from '../../../packages/metrics/metrics.ts'
import { openDatabase, type Database } from '../../../packages/sql/database.ts'
import type { Statement } from '../../../packages/sql/sql.ts'
import { capturedLog } from '../../../packages/testkit/captured-log.ts'
import { makeCertificate } from '../../../packages/testkit/certificate.ts'
import { freePort } from '../../../packages/testkit/free-port.ts'
import { openHl7Sender } from '../../../packages/testkit/hl7-sender.ts'
import { waitFor } from '../../../packages/testkit/wait-for.ts'
import { acknowledge, parseMessage } from '../../../packages/hl7/index.ts'
import { bridgeDatabase } from '../testing/bridge-database.ts'
import { sample } from '../testing/flow-world.ts'
import { framingErrorsOf } from '../store/framing-errors.ts'
import { testChannel } from '../testing/test-channels.ts'
import type { ListenerSettings } from './listener-settings.ts'
import { Listeners, type ListenersDeps } from './listeners.ts'

const answerDeps = { clock: systemClock, ids: systemIds }

async function place(
  changes: Partial<ListenerSettings> = {},
  looks = (database: Database) => database,
  log: Log = silentLog,
) {
  const receive: ListenersDeps['receive'] = async ({ bytes, send }) =>
    send(acknowledge(parseMessage(bytes), { code: 'AA' }, answerDeps).bytes)
  const own = await bridgeDatabase()
  const database = await openDatabase({ url: own.url, poolMax: 3, log: silentLog })
  const port = changes.port ?? (await freePort())
  const settings: ListenerSettings = {
    ...{ channel: testChannel('adt'), isEnabled: true, port, hosts: ['127.0.0.1'] },
    ...{ connectionsMax: 8, frameBytesMax: 65_536, frameTimeoutMs: 60_000, idleTimeoutMs: 60_000, ...changes },
  }
  const metrics = new Metrics()
  const started: Listeners[] = []
  const start = async () => {
    const listeners = new Listeners([settings], {
      ...{ ...answerDeps, database: looks(database), log, metrics, lookMs: 20 },
      receive,
    })
    started.push(listeners)
    await listeners.start()
    return listeners
  }
  return {
    ...{ port, start, database, metrics },
    send: async () => {
      await using sender = await openHl7Sender({ host: '127.0.0.1', port })
      return (await sender.send(sample({ controlId: '1' }))).ackCode
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(started.map((listeners) => listeners.stop(1_000)))
      await database.close()
      await own.drop()
    },
  }
}

describe('a channel', () => {
  it('listens, is paused, and is still paused after a restart, until somebody resumes it', async () => {
    await using own = await place()
    const before = await own.start()
    expect(await own.send()).toBe('AA')
    await before.pause('adt', 'admin')
    await before.pause('adt', 'admin')
    await expect(own.send()).rejects.toThrow('ECONNREFUSED')
    await before.stop(1_000)
    const after = await own.start()
    expect((await after.find('adt')).status).toBe('PAUSED')
    await after.resume('adt', 'admin')
    expect(await own.send()).toBe('AA')
  })

  it('is paused in every copy, whichever was told', async () => {
    await using own = await place({ port: 0 })
    const [told, other] = [await own.start(), await own.start()]
    await told.pause('adt', 'admin')
    await waitFor(async () => (await other.find('adt')).status === 'PAUSED', { what: 'the other copy paused' })
    await other.resume('adt', 'admin')
    await waitFor(async () => (await told.find('adt')).status === 'RUNNING', { what: 'the first copy running' })
    expect((await other.find('adt')).status).toBe('RUNNING')
  })

  it('stays paused although a look that had begun before knows nothing of it', async () => {
    const lookOf = () => ({ read: Promise.withResolvers<void>(), told: Promise.withResolvers<void>() })
    const looks: ReturnType<typeof lookOf>[] = []
    await using own = await place({}, (database) => ({
      ...database,
      async many<Row>(statement: Statement) {
        const rows = await database.many<Row>(statement)
        const look = statement.text.includes('bridge.channels') ? looks.shift() : undefined
        look?.read.resolve()
        await look?.told.promise
        return rows
      },
    }))
    const listeners = await own.start()
    const [old, next] = [lookOf(), lookOf()]
    looks.push(old, next)
    await old.read.promise
    await listeners.pause('adt', 'admin')
    old.told.resolve()
    await next.read.promise
    const answer = await own.send().catch(String)
    next.told.resolve()
    expect(answer).toContain('ECONNREFUSED')
  })

  it('whose port is taken is in ERROR, and runs as soon as the port is free', async () => {
    const rival = createServer()
    await using own = await place()
    await new Promise<void>((resolve) => rival.listen(own.port, '127.0.0.1', resolve))
    const listeners = await own.start()
    expect((await listeners.find('adt')).status).toBe('ERROR')
    expect(await own.metrics.text()).toContain('corridor_bridge_channel_state{channel="adt"} 4')
    await new Promise<unknown>((resolve) => rival.close(resolve))
    await waitFor(async () => (await listeners.find('adt')).status === 'RUNNING', { what: 'running' })
    expect(await own.send()).toBe('AA')
    expect(await own.metrics.text()).toContain('corridor_bridge_channel_state{channel="adt"} 0')
  })

  it('tells how many senders are connected', async () => {
    await using own = await place()
    await own.start()
    await using sender = await openHl7Sender({ host: '127.0.0.1', port: own.port })
    await sender.send(sample({ controlId: '1' }))
    expect(await own.metrics.text()).toContain('corridor_bridge_connections{channel="adt"} 1')
  })

  it('that is not enabled is STOPPED', async () => {
    await using own = await place({ isEnabled: false })
    expect((await (await own.start()).list()).map(({ id, status }) => [id, status])).toEqual([['adt', 'STOPPED']])
  })

  it('counts senders that get no connection, and the log says which channel they wanted', async () => {
    const { cert, key } = await makeCertificate({ name: 'localhost' })
    const log = capturedLog()
    await using own = await place({ tls: { cert, key } }, undefined, log.log)
    const listeners = await own.start()
    expect(await own.send().catch(() => 'nothing')).toBe('nothing')
    await waitFor(async () => (await listeners.stats('adt')).tlsFailures > 0, { what: 'the failure to be counted' })
    expect(await listeners.stats('adt')).toMatchObject({ tlsFailures: 1, connectionsRefused: 0 })
    const counted = 'corridor_bridge_connections_refused_total{channel="adt",reason="tls"} 1'
    expect(await own.metrics.text()).toContain(counted)
    expect(log.events('mllp.tls-failed')).toMatchObject([{ channel: 'adt', host: '127.0.0.1', port: own.port }])
  })

  it('loses no count to a database that is away, and ends in spite of it', async () => {
    const log = capturedLog()
    let isAway = true
    const looks = (database: Database): Database => ({
      ...database,
      run: (statement: Statement) =>
        isAway && statement.text.includes('bridge.channel_counts')
          ? Promise.reject(unavailable('The database is away.'))
          : database.run(statement),
    })
    await using own = await place({ allowed: ['192.0.2.0/24'] }, looks, log.log)
    const listeners = await own.start()
    const refused = () => own.send().catch(() => {})
    const isTold = (times: number) => async () => log.events('bridge.counts-not-written').length >= times
    await refused()
    await waitFor(isTold(2), { what: 'counts that were not written' })
    expect((await listeners.stats('adt')).connectionsRefused).toBe(0)
    isAway = false
    await waitFor(async () => (await listeners.stats('adt')).connectionsRefused > 0, { what: 'the count' })
    expect((await listeners.stats('adt')).connectionsRefused).toBe(1)
    isAway = true
    await refused()
    await listeners.stop(1_000)
    expect(await isTold(3)()).toBe(true)
  })

  it('counts bytes that are no message', async () => {
    await using own = await place()
    const listeners = await own.start()
    await using sender = await openHl7Sender({ host: '127.0.0.1', port: own.port })
    await sender.sendRaw(Buffer.from('noise'))
    await sender.send(sample({ controlId: '1' }))
    await waitFor(async () => (await listeners.stats('adt')).framingErrors > 0, { what: 'a framing error' })
    expect((await listeners.stats('adt')).framingErrors).toBe(1)
    expect(await own.metrics.text()).toContain('corridor_bridge_framing_errors_total{channel="adt"} 1')
    await waitFor(async () => (await framingErrorsOf('adt', own.database)).length > 0, { what: 'its first bytes' })
    expect(await framingErrorsOf('adt', own.database)).toMatchObject([
      { kind: 'noise', peer: '127.0.0.1', length: 5, head: Buffer.from('noise') },
    ])
  })
})
