import { afterEach, beforeEach, expect, it } from 'vitest'
import { seededRandom } from '../../../packages/clock/ids.ts'
import { sql } from '../../../packages/sql/sql.ts'
import type { OutboxWorker } from '../../../packages/sql/tasks/outbox.ts'
import { waitFor } from '../../../packages/testkit/wait-for.ts'
import type { Channel } from '../../../ports/notification/notification.ts'
import { facilityDirectory } from '../facilities.ts'
import { referralWorld, type ReferralWorld } from '../testing/referral-deps.ts'
import { deliverNotices } from './deliver-notices.ts'
import { noticeTopic, type Notice } from './plan-notices.ts'

let world: ReferralWorld
let worker: OutboxWorker<Notice>
/** As `facility channel`: what is on its way and what has arrived. Whoever is silent takes all and answers nothing. */
let underWay: string[]
let told: string[]
let silent: ReadonlySet<string>

beforeEach(async () => {
  world = await referralWorld()
  ;[underWay, told, silent] = [[], [], new Set()]
  const facilities = facilityDirectory(
    ['slow', 'slow-too', 'quick'].map((clientId) => ({
      ...{ clientId, organisation: undefined, phone: '+999 1', email: undefined },
      webhook: { url: `http://${clientId.replace('-too', '')}.example/${clientId}`, secret: 's' },
    })),
  )
  worker = deliverNotices({
    ...{ ...world.deps, facilities, random: seededRandom(1) },
    notifier: {
      channelsOf: () => ['webhook', 'sms'],
      notify: async (channel, { webhook }, _notification, { signal } = {}) => {
        const name = `${webhook?.url.split('/').at(-1)} ${channel}`
        if (silent.has(name)) {
          underWay.push(name)
          await new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
        }
        told.push(name)
      },
    },
  })
})

afterEach(async () => {
  const stopped = worker.stop(0)
  await world.clock.advance(1)
  await stopped
  await world[Symbol.asyncDispose]()
})

const notice = (facilityClientId: string, channel: Channel): Notice => ({
  ...{ facilityClientId, channel },
  notification: { id: 'n', type: 'referral.sent', at: '2026-03-04T05:06:07Z', facts: {}, subject: 's', text: 't' },
})

const enqueue = (facility: string, channel: Channel, count = 1) =>
  world.deps.database.transaction((tx) =>
    world.deps.outbox.enqueue(
      tx,
      ...Array.from({ length: count }, () => ({ topic: noticeTopic, payload: notice(facility, channel) })),
    ),
  )

/** Lets time pass until it holds. */
const inTime = (what: string, holds: () => boolean | Promise<boolean>) =>
  waitFor(
    async () => {
      await world.clock.advance(100)
      return holds()
    },
    { what },
  )

it.each<[string, readonly (readonly [string, Channel])[]]>([
  [
    'the server of two webhooks',
    [
      ['slow', 'webhook'],
      ['slow-too', 'webhook'],
    ],
  ],
  [
    'the gateway for short messages',
    [
      ['slow', 'sms'],
      ['quick', 'sms'],
    ],
  ],
])('%s that is silent has two places, and what is meant for others goes out', async (_which, meant) => {
  silent = new Set(meant.map(([facility, channel]) => `${facility} ${channel}`))
  for (const [facility, channel] of meant) await enqueue(facility, channel, 10)
  await enqueue('quick', 'webhook')
  worker.start()
  await inTime('what is meant for the quick one', () => told.length > 0)
  expect([told, underWay.length]).toEqual([['quick webhook'], 2])
})

it('what has waited for two hours for a receiver that is slow is given up, and once more where it is tried again', async () => {
  silent = new Set(['slow webhook'])
  await enqueue('slow', 'webhook', 2)
  worker.start()
  await inTime('both places to be taken', () => underWay.length === 2)
  const { database, clock, outbox } = world.deps
  const waitingFor = async (minutes: number) => {
    const [id = ''] = await enqueue('slow', 'webhook')
    const createdAt = new Date(clock.now().getTime() - minutes * 60_000)
    await database.run(sql`update kit.outbox set created_at = ${createdAt} where id = ${id}::uuid`)
    return id
  }
  await waitingFor(119)
  const late = await waitingFor(120)
  await inTime('the late one to be dead', async () => (await outbox.dead(noticeTopic)).length > 0)
  expect((await outbox.dead(noticeTopic)).map(({ id }) => id)).toEqual([late])

  // Its receiver was away for a morning: what is then tried again has its two hours anew.
  await outbox.revive(noticeTopic, late)
  const isLooked = () =>
    database.maybe(sql`
      select from kit.outbox
      where id = ${late}::uuid and lease is null and (dead_at is not null or next_at > ${clock.now()}::timestamptz)`)
  await inTime('it to be given back', async () => (await isLooked()) !== undefined)
  expect(await outbox.dead(noticeTopic)).toEqual([])
})
