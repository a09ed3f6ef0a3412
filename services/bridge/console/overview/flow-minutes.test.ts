import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '../../../../packages/sql/database.ts'
import { addReceived } from '../../testing/add-received.ts'
import { openBridgeDatabase } from '../../testing/bridge-database.ts'
import { FlowMinutes } from './flow-minutes.ts'

let own: Awaited<ReturnType<typeof openBridgeDatabase>>
let database: Database
beforeAll(async () => {
  own = await openBridgeDatabase()
  database = own.database
})
afterAll(() => own.close())

it('reads a minute that is over once, the last two anew, and forgets what is too old', async () => {
  const minutes = new FlowMinutes(3)
  const at = (time: string) => new Date(`2026-03-04T10:${time}Z`)
  const read = async (time: string) => {
    const { counts } = await minutes.read(at(time), database)
    return counts.map(({ minute, messages }) => `${minute.slice(-2)}: ${messages}`).sort()
  }
  await addReceived('adt', [at('00:10'), at('02:10'), at('02:20'), at('03:05')], database)
  expect(await read('03:30')).toEqual(['00: 1', '02: 2', '03: 1'])
  await addReceived('oru', [at('00:11'), at('03:40')], database)
  expect(await read('03:50')).toEqual(['00: 1', '02: 2', '03: 1', '03: 1'])
  await addReceived('oru', [at('04:01')], database)
  expect(await read('04:30')).toEqual(['02: 2', '03: 1', '03: 1', '04: 1'])
})
