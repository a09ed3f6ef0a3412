import { describe, expect, it } from 'vitest'
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
const other = 'PID|1||M2^^^CENTRAL^MR||OKONKWO^Adaeze||19510213|F'
const visit = segment('PV1', { 2: 'I', 19: '1' })

describe('a person who was deleted (A29)', () => {
  const deleted: readonly Sent[] = [
    ['adt', 'ADT^A28', person()],
    ['adt', 'ADT^A29', person()],
  ]
  const isActive = (world: StagesWorld) => world.all<Patient>('Patient').map(({ active }) => active)

  it.each(['A01', 'A04', 'A05', 'A08', 'A28', 'A31'])('is in use again when they are told of: %s', async (trigger) => {
    expect(isActive(await after(...deleted, ['adt', `ADT^${trigger}`, person(), visit]))).toEqual([true])
  })

  it.each<[string, Sent]>([
    ['a discharge', ['adt', 'ADT^A03', person(), visit]],
    ['a result', ['oru', 'ORU^R01', person(), 'OBR|1||F1|K^Potassium^L', 'OBX|1|NM|K^Potassium^L||4']],
  ])('is not by a message that only mentions them: %s', async (_what, message) => {
    expect(isActive(await after(...deleted, message))).toEqual([false])
  })

  it('is not where they were merged into another', async () => {
    const world = await after(
      ['adt', 'ADT^A28', person()],
      ['adt', 'ADT^A28', other],
      ['adt', 'ADT^A40', other, 'MRG|M1^^^CENTRAL^MR'],
      ['adt', 'ADT^A01', person(), visit],
    )
    expect(isActive(world)).toEqual([false, true])
  })
})

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
