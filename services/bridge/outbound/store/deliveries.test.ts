import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../../../../packages/sql/database.ts'
import { sql, type Statement } from '../../../../packages/sql/sql.ts'
import { openBridgeDatabase } from '../../testing/bridge-database.ts'
import { derivedId } from '../../derived-id.ts'
import { switchedOff, type Delivery, type NewDelivery } from '../delivery.ts'
import {
  addDeliveries,
  countDeliveries,
  countDeliveriesOf,
  findDeliveries,
  hasDeliveries,
  lastOutcomes,
  pruneDeliveries,
  readDeliveries,
  readToSend,
  reopenDelivery,
  settleDeliveries,
  type Settlement,
} from './deliveries.ts'
import { countDead, countResentWith, reopenDead } from './reopen-dead.ts'
import { supersededAmong } from './superseded.ts'

const old = new Date('2026-01-01T00:00:00Z')
const limit = new Date('2026-02-01T00:00:00Z')
const recent = new Date('2026-03-01T00:00:00Z')
const forgotten = { settledBefore: limit, deadBefore: new Date('2025-06-01T00:00:00Z') }

let opened: Awaited<ReturnType<typeof openBridgeDatabase>>
let database: Database
beforeAll(async () => {
  opened = await openBridgeDatabase()
  database = opened.database
})
beforeEach(async () => {
  await database.run(sql`truncate bridge.deliveries, bridge.delivery_counts, kit.outbox`)
  await database.run(sql`
    insert into kit.outbox (shard, id, queue, position, waits, payload, next_at, created_at, lease)
    values (${task.shard}, ${task.id}, 'bridge.delivery', 1, false, '{}', now(), now(), ${task.lease})`)
})
afterAll(() => opened.close())

const delivery = (name: string, subscriptionId = 'a', status: NewDelivery['status'] = 'waiting'): NewDelivery => ({
  ...{ id: derivedId(name), subscriptionId, transactionId: name, patient: null, resource: `Patient/${name}` },
  ...{ versionId: '1', channel: 'rest-hook', endpoint: 'http://localhost/', payload: '', status, lastError: null },
})

const resent: Delivery = {
  ...{ ...delivery('one'), attempts: 0, createdAt: old, nextAttemptAt: null, settledAt: null, answered: null },
  ...{ resentAt: recent, resentBy: 'admin' },
}

/** Whatever is settled here was attempted in this task. */
const task = { shard: 3, id: derivedId('task'), lease: derivedId('lease') }

type Settled = 'delivered' | 'dead' | 'skipped'

async function settle(name: string, status: Settled, at: Date, said: Partial<Settlement> = {}): Promise<void> {
  const none = { endpoint: null, nextAttemptAt: null, lastError: null, answered: null }
  const outcome = { ...none, task, attempts: 1, at, ...said }
  const statement = settleDeliveries([{ id: derivedId(name), status, ...outcome }])
  if (statement !== undefined) await database.run(statement)
}

const left = async () =>
  (await database.many<{ name: string }>(sql`select transaction_id as name from bridge.deliveries order by 1`)).map(
    ({ name }) => name,
  )

describe('the log of deliveries', () => {
  it('forgets what was settled long ago, of every subscription, and keeps what is open or dead', async () => {
    const gone = [delivery('arrived', 'a'), delivery('other', 'b'), delivery('circle', 'c', 'skipped')]
    const stays = [delivery('dead'), delivery('waiting'), delivery('late')]
    await addDeliveries([...gone, ...stays], old, database)
    await addDeliveries([delivery('new')], recent, database)
    for (const name of ['arrived', 'other']) await settle(name, 'delivered', old)
    await settle('dead', 'dead', old)
    for (const name of ['late', 'new']) await settle(name, 'delivered', recent)
    expect(await pruneDeliveries(forgotten, database)).toBe(3)
    expect(await left()).toEqual(['dead', 'late', 'new', 'waiting'])
    expect(await pruneDeliveries(forgotten, database)).toBe(0)
  })

  it('forgets what is dead after its own time, with what was to be sent, and counts it no more', async () => {
    const older = new Date('2025-01-01T00:00:00Z')
    await addDeliveries([delivery('arrived'), delivery('dead'), delivery('waiting')], older, database)
    await addDeliveries([delivery('dead later')], old, database)
    await settle('arrived', 'delivered', old)
    for (const name of ['dead', 'dead later']) await settle(name, 'dead', name === 'dead' ? older : old)
    expect(await pruneDeliveries(forgotten, database)).toBe(2)
    expect(await left()).toEqual(['dead later', 'waiting'])
    expect(await countDeliveriesOf('a', database)).toMatchObject({ waiting: 1, delivered: 0, dead: 1, skipped: 0 })
    // Also where what failed is kept for less time than what arrived.
    expect(await pruneDeliveries({ settledBefore: older, deadBefore: limit }, database)).toBe(1)
    expect(await left()).toEqual(['waiting'])
  })

  it('keeps what arrived for as long as an older version is dead, which it keeps from being sent again', async () => {
    const version = (name: string, versionId: string): NewDelivery => ({
      ...{ ...delivery(name), resource: 'Patient/p', versionId, payload: '{}' },
    })
    await addDeliveries(
      ['1', '2', '3'].map((one) => version(one, one)),
      old,
      database,
    )
    await settle('1', 'delivered', old)
    await settle('2', 'dead', old)
    await settle('3', 'delivered', old)
    expect(await pruneDeliveries(forgotten, database)).toBe(1)
    expect(await left()).toEqual(['2', '3'])
    expect(await countDead('a', database)).toEqual({ matched: 1, superseded: 1 })
    expect(await pruneDeliveries({ settledBefore: limit, deadBefore: limit }, database)).toBe(1)
    expect(await pruneDeliveries(forgotten, database)).toBe(1)
    expect(await left()).toEqual([])
  })

  it('says of each what came of its last attempt alone, and of what is sent again nothing yet', async () => {
    await addDeliveries(
      ['one', 'two'].map((name) => delivery(name)),
      old,
      database,
    )
    const said = async (name: string) => {
      const [found] = await readDeliveries([derivedId(name)], database)
      return [found?.status, found?.lastError, found?.answered]
    }
    for (const name of ['one', 'two']) await settle(name, 'dead', old, { lastError: 'The receiver answered 503.' })
    expect(await said('one')).toEqual(['dead', 'The receiver answered 503.', null])
    await reopenDelivery(derivedId('one'), 'admin', recent, database)
    expect(await said('one')).toEqual(['waiting', null, null])
    await settle('one', 'delivered', recent, { answered: '200' })
    expect(await said('one')).toEqual(['delivered', null, '200'])
    await reopenDelivery(derivedId('one'), 'admin', recent, database)
    await settle('one', 'dead', recent, { lastError: 'The receiver answered 404.' })
    expect(await said('one')).toEqual(['dead', 'The receiver answered 404.', null])
    await database.run(sql`update bridge.deliveries set payload = 'x'`)
    await reopenDead('a', { by: 'admin', now: recent, limit: 10 }, database)
    expect(await said('two')).toEqual(['waiting', null, null])
  })

  it('forgets in steps, however much there is', async () => {
    await database.run(sql`
      insert into bridge.deliveries (id, subscription_id, transaction_id, patient, resource, version_id, channel, endpoint,
        payload, status, created_at, next_attempt_at, settled_at)
      select gen_random_uuid(), 'a', 'many', null, 'Patient/many', '1', 'rest-hook', 'http://localhost/', '', 'delivered',
        ${old}, null, ${old} from generate_series(1, 2500)`)
    const steps: number[] = []
    const counting: Pick<Database, 'run'> = {
      run: async (statement) => {
        const rows = await database.run(statement)
        steps.push(rows)
        return rows
      },
    }
    expect(await pruneDeliveries(forgotten, counting)).toBe(2_500)
    expect(steps).toEqual([1_000, 1_000, 500])
  })

  it('is looked through by the index of its subscriptions when some of it is forgotten', async () => {
    const plans: string[] = []
    const explained: Pick<Database, 'run'> = {
      run: (statement) =>
        database.transaction(async (tx) => {
          await tx.run(sql`set local enable_seqscan = off`)
          const lines = await tx.many<Record<string, string>>(sql`explain ${statement}`)
          plans.push(lines.flatMap((line) => Object.values(line)).join('\n'))
          return 0
        }),
    }
    await pruneDeliveries(forgotten, explained)
    expect(plans).toMatchObject([expect.stringMatching(/Index Cond: \(\(subscription_id = .*\) AND \(created_at < /)])
  })

  it('is counted for all subscriptions and for one', async () => {
    const skipped = delivery('circle', 'a', 'skipped')
    await addDeliveries([delivery('arrived'), delivery('dead'), delivery('waiting'), skipped], old, database)
    await addDeliveries([delivery('other', 'b')], old, database)
    await settle('arrived', 'delivered', recent)
    await settle('dead', 'dead', recent)
    const counted = { subscriptionId: 'a', waiting: 1, delivered: 1, dead: 1, skipped: 1, lastDeliveredAt: recent }
    expect(await countDeliveriesOf('a', database)).toEqual(counted)
    expect(await countDeliveries(database)).toContainEqual(counted)
    const none = { subscriptionId: 'c', waiting: 0, delivered: 0, dead: 0, skipped: 0, lastDeliveredAt: null }
    expect(await countDeliveriesOf('c', database)).toEqual(none)
    expect([await hasDeliveries('b', database), await hasDeliveries('c', database)]).toEqual([true, false])
  })

  it('is counted as it is, whatever becomes of it', async () => {
    const inLog = () =>
      database.many(sql`
        select subscription_id as "subscriptionId", count(*) filter (where status = 'waiting')::int as waiting,
               count(*) filter (where status = 'delivered')::int as delivered,
               count(*) filter (where status = 'dead')::int as dead,
               count(*) filter (where status = 'skipped')::int as skipped
          from bridge.deliveries group by subscription_id order by 1`)
    const counted = async () => {
      const counts = (await countDeliveries(database)).map(({ lastDeliveredAt: _last, ...rest }) => rest)
      const some = counts.filter(({ waiting, delivered, dead, skipped }) => waiting + delivered + dead + skipped > 0)
      return some.sort((one, other) => one.subscriptionId.localeCompare(other.subscriptionId))
    }
    const agree = async () => expect(await counted()).toEqual(await inLog())
    const subscriptions = ['a', 'b', 'c']
    const waiting = Array.from({ length: 30 }, (_, index) => delivery(`d${index}`, subscriptions[index % 3]))
    const added = [...waiting, delivery('s', 'a', 'skipped'), delivery('t', 'b', 'skipped'), delivery('x', 'c', 'dead')]
    await addDeliveries(added, old, database)
    await addDeliveries(added, recent, database)
    await agree()
    await settle('d29', 'skipped', old)
    await settle('d28', 'skipped', old, { lastError: switchedOff })
    await agree()
    for (const [index, { transactionId }] of waiting.slice(0, 20).entries()) {
      await settle(transactionId, index % 4 === 0 ? 'dead' : 'delivered', old)
      await settle(transactionId, 'delivered', recent)
    }
    await agree()
    const reopened: string[] = []
    for (const name of ['d0', 'd1', 'd2', 'd28', 'd29', 's']) {
      if (await reopenDelivery(derivedId(name), 'admin', recent, database)) reopened.push(name)
    }
    // What was left out by what it is stays so.
    expect(reopened).toEqual(['d0', 'd1', 'd2', 'd28'])
    await agree()
    await settle('d1', 'delivered', recent)
    await agree()
    expect(await pruneDeliveries(forgotten, database)).toBeGreaterThan(10)
    await agree()
    expect((await countDeliveriesOf('a', database)).lastDeliveredAt).toEqual(old)
    expect((await countDeliveriesOf('b', database)).lastDeliveredAt).toEqual(recent)
  })

  it('is superseded by a newer version that the receiver has or gets, of the same subscription and resource', async () => {
    const version = (name: string, versionId: string, given: Partial<NewDelivery> = {}): NewDelivery => ({
      ...{ ...delivery(name), resource: 'Patient/p', versionId, payload: '{}', ...given },
    })
    const nine = version('nine', '9')
    // The same moment: ten comes after nine.
    await addDeliveries([nine, version('ten', '10')], old, database)
    const among = async () => [...(await supersededAmong([nine.id, derivedId('ten')], database))]
    expect(await among()).toEqual([nine.id])
    await settle('ten', 'dead', recent)
    expect(await among()).toEqual([])
    await addDeliveries([version('elsewhere', '11', { subscriptionId: 'b' })], recent, database)
    await addDeliveries([version('another', '11', { resource: 'Patient/q' })], recent, database)
    await addDeliveries([version('off', '11')], recent, database)
    await settle('off', 'skipped', recent, { lastError: switchedOff })
    expect(await among()).toEqual([])
    const own = { status: 'skipped', lastError: 'The receiver sent it itself.' } as const
    await addDeliveries([version('own', '12', own)], recent, database)
    expect(await among()).toHaveLength(2)
  })

  it.each([
    ['by its number', '9', '10', ['first']],
    ['where nobody counts versions, by when it was planned', 'b', 'a', ['last']],
  ])('has a newer version %s, also where the older one was planned last', async (_, older, newer, overtaken) => {
    const version = (name: string, versionId: string): NewDelivery => ({
      ...{ ...delivery(name), resource: 'Slot/s', versionId, payload: '{}' },
    })
    await addDeliveries([version('last', newer)], old, database)
    await addDeliveries([version('first', older)], recent, database)
    const ids = ['first', 'last'].map((name) => derivedId(name))
    const wanted = overtaken.map((name) => derivedId(name))
    expect([...(await supersededAmong(ids, database))]).toEqual(wanted)
    const toSend = async () => (await readToSend(ids, database)).filter((one) => one?.isOvertaken).map((one) => one?.id)
    expect(await toSend()).toEqual([])
    for (const name of ['first', 'last']) await settle(name, 'delivered', recent)
    expect(await toSend()).toEqual(wanted)
  })

  it('makes what was given up wait again, the oldest first and no more than wanted', async () => {
    const content = (name: string, at: Date) => addDeliveries([{ ...delivery(name), payload: '{}' }], at, database)
    for (const [name, at] of [
      ['third', recent],
      ['first', old],
      ['second', limit],
    ] as const) {
      await content(name, at)
      await settle(name, 'dead', recent)
    }
    const empty: NewDelivery = { ...delivery('never made', 'a', 'dead'), channel: 'message' }
    await addDeliveries([empty, { ...delivery('elsewhere', 'b', 'dead'), payload: '{}' }], old, database)
    expect(await countDead('a', database)).toEqual({ matched: 3, superseded: 0 })
    const reopened = await reopenDead('a', { by: 'admin', now: recent, limit: 2 }, database)
    expect(reopened.map(({ resource }) => resource)).toEqual(['Patient/first', 'Patient/second'])
    expect(await countDeliveriesOf('a', database)).toMatchObject({ waiting: 2, dead: 2 })
    expect(await countDead('a', database)).toEqual({ matched: 1, superseded: 0 })
  })

  it.each<[string, (on: Database) => Promise<unknown>, string]>([
    ['whether a newer version went out', (on) => supersededAmong([derivedId('one')], on), 'deliveries_by_resource'],
    ['whether a newer version has arrived', (on) => readToSend([derivedId('one')], on), 'deliveries_by_resource'],
    ['how many were sent again together', (on) => countResentWith(resent, on), 'deliveries_resent'],
    [
      'what was given up',
      (on) => findDeliveries({ status: 'dead' }, { limit: 20 }, on),
      'Index Only Scan using deliveries_open',
    ],
    [
      'what was given up of a subscription, in its order',
      (on) => findDeliveries({ subscriptionId: 'a', status: 'dead' }, { limit: 20 }, on),
      'Limit\n->  Index Only Scan using deliveries_open',
    ],
    [
      'what was left out of a subscription, in its order',
      (on) => findDeliveries({ subscriptionId: 'a', status: 'skipped' }, { limit: 20 }, on),
      'Limit\n->  Index Only Scan using deliveries_skipped',
    ],
  ])('is asked by an index %s', async (_, ask, expected) => {
    await database.run(sql`
      insert into bridge.deliveries (id, subscription_id, transaction_id, patient, resource, version_id, channel, endpoint,
        payload, status, created_at, next_attempt_at, settled_at)
      select gen_random_uuid(), 'a', 'many', null, 'Patient/' || n, '1', 'rest-hook', 'http://localhost/', '{}',
        case when n % 50 = 0 then 'dead' when n % 500 = 1 then 'skipped' else 'delivered' end, ${old}, null, ${old} from generate_series(1, 5000) as n`)
    await database.run(sql`vacuum analyze bridge.deliveries`)
    const plans: string[] = []
    const explained = async <Row>(statement: Statement) => {
      const lines = await database.many<Record<string, string>>(sql`explain (costs off) ${statement}`)
      plans.push(lines.flatMap((line) => Object.values(line).map((text) => text.trim())).join('\n'))
      return [] as Row[]
    }
    const one = async <Row>(statement: Statement) => {
      await explained(statement)
      // Sound: nobody looks at what was counted.
      return { count: 0 } as Row
    }
    await ask({ ...database, many: explained, one })
    expect(plans).toEqual([expect.stringContaining(expected)])
  })

  it.each([
    ['for all subscriptions', (on: Database) => countDeliveries(on)],
    ['for one', (on: Database) => countDeliveriesOf('a', on)],
  ])('is counted %s without a look at what has arrived', async (_, count) => {
    await database.run(sql`
      insert into bridge.deliveries (id, subscription_id, transaction_id, patient, resource, version_id, channel, endpoint,
        payload, status, created_at, next_attempt_at, settled_at)
      select gen_random_uuid(), 'a', 'many', null, 'Patient/many', '1', 'rest-hook', 'http://localhost/', '', 'delivered',
        ${old}, null, ${old} from generate_series(1, 5000)`)
    await database.run(sql`analyze bridge.deliveries`)
    const plans: string[] = []
    const explained = async <Row>(statement: Statement) => {
      const lines = await database.many<Record<string, string>>(sql`explain ${statement}`)
      plans.push(lines.flatMap((line) => Object.values(line)).join('\n'))
      return [] as Row[]
    }
    const first = async <Row>(statement: Statement) => (await explained<Row>(statement))[0]
    await count({ ...database, many: explained, maybe: first })
    expect(plans).toEqual([expect.stringContaining('deliveries_open')])
  })

  it('says how the newest of a subscription ended, and leaves out what has not', async () => {
    await addDeliveries([delivery('first'), delivery('elsewhere', 'b')], old, database)
    await addDeliveries([delivery('second')], limit, database)
    await addDeliveries([delivery('third')], recent, database)
    await settle('first', 'dead', recent)
    await settle('second', 'delivered', recent)
    await settle('elsewhere', 'dead', recent)
    expect(await lastOutcomes('a', 3, database)).toEqual(['delivered', 'dead'])
    expect(await lastOutcomes('a', 1, database)).toEqual(['delivered'])
  })

  it('settles one that waits, once', async () => {
    await addDeliveries([delivery('one')], old, database)
    await settle('one', 'delivered', recent)
    await settle('one', 'dead', recent)
    expect(await lastOutcomes('a', 3, database)).toEqual(['delivered'])
    expect(settleDeliveries([])).toBeUndefined()
  })

  it('is not written by a copy that has lost the task to another', async () => {
    await addDeliveries([delivery('one')], old, database)
    await settle('one', 'dead', recent, { task: { ...task, lease: derivedId('the lease of before') } })
    expect(await countDeliveriesOf('a', database)).toMatchObject({ waiting: 1, dead: 0 })
    await settle('one', 'delivered', recent)
    expect(await countDeliveriesOf('a', database)).toMatchObject({ waiting: 0, delivered: 1 })
  })
})
