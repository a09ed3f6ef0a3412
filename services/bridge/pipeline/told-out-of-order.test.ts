import { expect, it } from 'vitest'
import type { Patient } from '../../../packages/fhir/r4.ts'
import { segment } from '../mapping/testing/segment.ts'
import { StagesWorld } from '../testing/stages-world.ts'
import type { ChannelId } from './channel.ts'

type Sent = readonly [channel: ChannelId, type: string, ...segments: string[]]

async function after(...messages: readonly Sent[]): Promise<StagesWorld> {
  const world = new StagesWorld()
  for (const message of messages) expect(await world.send(...message)).toMatchObject({ status: 'SUCCESS' })
  return world
}

const person = (fields: Readonly<Record<number, string>> = {}) =>
  segment('PID', { 3: 'M1^^^CENTRAL^MR', 5: 'RAMGOOLAM^Amina', 7: '19800115', 8: 'F', ...fields })

it('a message that only mentions a patient tells nothing of them that their hospital took back', async () => {
  const world = await after(
    ['adt', 'ADT^A28', person({ 11: '1 Road', 30: 'Y' })],
    ['adt', 'ADT^A31', person({ 11: '""', 30: '""' })],
  )
  const [before] = world.all<Patient>('Patient')
  expect(before?.deceasedBoolean).toBeUndefined()
  await world.send(
    ...(['oru', 'ORU^R01', person({ 11: '1 Road', 30: 'Y' })] as const),
    ...['OBR|1||F1|K^Potassium^L', 'OBX|1|NM|K^Potassium^L||4'],
  )
  expect(world.all<Patient>('Patient')).toEqual([before])
})
