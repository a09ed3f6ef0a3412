import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '../../../../packages/sql/database.ts'
import type { ChannelId } from '../../pipeline/channel.ts'
import type { ChannelStatus } from '../../listeners/channel-control.ts'
import { addReceived } from '../../testing/add-received.ts'
import { openBridgeDatabase } from '../../testing/bridge-database.ts'
import { silentChannels } from './silence.ts'

let own: Awaited<ReturnType<typeof openBridgeDatabase>>
let database: Database
const now = new Date('2026-03-11T10:00:00Z')
const minuteMs = 60_000
const dayMs = 86_400_000

beforeAll(async () => {
  own = await openBridgeDatabase()
  database = own.database
})
afterAll(() => own.close())

const before = (ms: number) => new Date(now.getTime() - ms)

const received = (id: ChannelId, times: readonly Date[]) => addReceived(id, times, database)

const channel = (id: ChannelId, lastMessageAt: Date, since: Date, status: ChannelStatus = 'RUNNING') => ({
  ...{ id, lastMessageAt, since, status, port: 1, messageType: id },
  ...{ messagesReceived: 1, messagesSucceeded: 1, messagesFailed: 0 },
})
const silent = async (...channels: ReturnType<typeof channel>[]) => [...(await silentChannels(channels, now, database))]
const old = before(30 * dayMs)

it('misses messages at a time of day when they came on most days before', async () => {
  await received(
    'adt',
    [1, 2, 3, 5].map((day) => before(day * dayMs + 5 * minuteMs)),
  )
  expect(await silent(channel('adt', before(16 * minuteMs), old))).toEqual(['adt'])
})

it('misses nothing at a time of day that is usually quiet', async () => {
  await received(
    'oru',
    [1, 2, 3].map((day) => before(day * dayMs + 5 * minuteMs)),
  )
  expect(await silent(channel('oru', before(16 * minuteMs), old))).toEqual([])
})

it('goes by the last hours while it knows less than a week', async () => {
  const last = before(20 * minuteMs)
  await received(
    'orm',
    [0, 15, 30, 45, 60, 75].map((minutes) => new Date(last.getTime() - minutes * minuteMs)),
  )
  await received(
    'mdm',
    [0, 30, 90].map((minutes) => new Date(last.getTime() - minutes * minuteMs)),
  )
  const young = before(dayMs)
  expect(await silent(channel('orm', last, young), channel('mdm', last, young))).toEqual(['orm'])
})

it.each([
  ['had a message within a quarter of an hour', before(14 * minuteMs), 'RUNNING'],
  ['is paused', before(dayMs), 'PAUSED'],
  ['cannot listen', before(dayMs), 'ERROR'],
] as const)('does not call a channel silent that %s', async (_, lastMessageAt, status) => {
  expect(await silent(channel('adt', lastMessageAt, old, status))).toEqual([])
})
