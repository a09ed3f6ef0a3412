import { expect, it } from 'vitest'
import { channelCounts } from '../listeners/channel-store.ts'
import { flowWorld, sample } from '../testing/flow-world.ts'

it('events that are taken are counted by name, and all others together', async () => {
  await using world = await flowWorld({})
  const types = ['ADT^A01', 'ADT^A01', 'VXU^V04', 'ADT', 'ADT^A19', 'ADT^20260304091500', 'ADT^20260304091501', 'Z99^X']
  for (const [at, type] of types.entries()) {
    await world.send(sample({ controlId: String(at), patient: String(at), type }), { channel: 'adt' })
  }
  await world.send('no message', { channel: 'adt' })
  const counts = (await channelCounts(world.database)).get('adt') ?? []
  const triggers = counts.filter(({ name }) => name.startsWith('trigger.')).map(({ name, value }) => [name, value])
  expect(Object.fromEntries(triggers)).toEqual({
    ...{ 'trigger.A01': 2, 'trigger.V04': 1, 'trigger.ADT': 1 },
    ...{ 'trigger.other': 4, 'trigger.unreadable': 1 },
  })
})
