import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CodeableConcept, Encounter } from '../../../packages/fhir/r4.ts'
import { silentLog } from '../../../packages/log/log.ts'
import { Outbox } from '../../../packages/sql/tasks/outbox.ts'
import { systemClock } from '../../../packages/clock/clock.ts'
import type { Resource, Subscription } from '../../../ports/fhir-store/resources.ts'
import { finishedMessage, known, succeeded } from '../audit/testing/finished-messages.ts'
import type { Finished } from '../pipeline/finished.ts'
import { tellingPart } from '../pipeline/telling.ts'
import { seedSubscriptions } from '../subscriptions/seed-subscriptions.ts'
import { seededSubscriptions } from '../subscriptions/seeded-subscriptions.ts'
import { sinkDeliveries } from './testing/sink-deliveries.ts'
import {
  appointment,
  document,
  encounter,
  merged,
  notifiable,
  observation,
  order,
  patient,
  prescription,
  report,
  role,
} from './testing/clinical-resources.ts'
import { dispatchWorld, storeWorld, type DispatchWorld, type StoreWorld } from './testing/dispatch-world.ts'

let store: StoreWorld
let world: DispatchWorld
beforeAll(async () => {
  store = await storeWorld()
  world = await dispatchWorld(store)
  await world.message([patient])
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await store[Symbol.asyncDispose]()
})

const served = async (transactionId: string) =>
  (await world.dispatch.listDeliveries(transactionId)).map(({ subscriptionId }) => subscriptionId.slice(0, 6))

describe('the seeded subscriptions', () => {
  it('are seventeen in the order of their ids, six over MLLP, seven over REST and four by SMS', async () => {
    const list = await world.dispatch.listSubscriptions()
    expect(list.map(({ id }) => id)).toEqual(seededSubscriptions.map(({ id }) => id))
    expect(list.filter(({ status }) => status !== 'active')).toEqual([])
    const count = (channel: string) => list.filter((one) => one.channel === channel).length
    expect([count('message'), count('rest-hook'), count('sms')]).toEqual([6, 7, 4])
  })

  it.each<[string, readonly Resource[], readonly Resource[]]>([
    ['sub-01', [patient], [merged]],
    ['sub-02', [merged], [patient]],
    ['sub-03', [encounter('in-progress', 'IMP')], [encounter('finished', 'IMP'), encounter('in-progress', 'AMB')]],
    ['sub-04', [encounter('triaged', 'EMER')], [encounter('finished', 'EMER'), encounter('arrived', 'AMB')]],
    ['sub-05', [encounter('finished', 'EMER')], [encounter('in-progress', 'EMER'), encounter('finished', 'AMB')]],
    ['sub-06', [observation('HH')], [observation('H'), observation('LL', { status: 'preliminary' })]],
    // The upper half of a blood pressure is a part of its panel.
    [
      'sub-06',
      [
        observation('N', {
          component: [{ code: { text: 'Systolic' }, interpretation: [{ coding: [{ code: 'HH' }] }] }],
        }),
      ],
      [],
    ],
    [
      'sub-07',
      [observation('L')],
      [observation('N'), observation('H', { id: 'pulse', category: [{ text: 'Vital signs' }] })],
    ],
    ['sub-08', [report('amended')], [report('preliminary')]],
    ['sub-09', [notifiable('final')], [notifiable('preliminary'), notifiable('final', '718-7')]],
    ['sub-10', [order('108252007')], [order('108252007', { status: 'completed' }), order('363679005')]],
    ['sub-11', [order('363679005')], [order('363679005', { status: 'draft' })]],
    ['sub-12', [order('108252007', { priority: 'stat' })], [order('108252007', { priority: 'urgent' })]],
    ['sub-13', [document('current')], [document('superseded')]],
    ['sub-14', [prescription('active')], [prescription('stopped')]],
    ['sub-15', [appointment('booked')], [appointment('proposed')]],
    ['sub-16', [appointment('noshow')], [appointment('booked')]],
    ['sub-17', [role(false)], [role()]],
  ])('%s is served for what it asks for, and for nothing else', async (id, matching, others) => {
    expect(await served(await world.message(matching))).toContain(id)
    expect(await served(await world.message(others))).not.toContain(id)
  })

  it('arrive at the embedded receivers, over real sockets', async () => {
    const admitted = { ...encounter('in-progress', 'IMP'), id: 'admission' }
    const ids = [await world.message([admitted]), await world.message([observation('AA')])]
    const deliveries = (await Promise.all(ids.map((id) => world.dispatch.listDeliveries(id)))).flat()
    expect(deliveries.map(({ channel, status, attempts, answered }) => [channel, status, attempts, answered])).toEqual([
      ['message', 'delivered', 1, 'AA'],
      ['sms', 'delivered', 1, '200'],
    ])
    const kept = await sinkDeliveries(world.database)
    const bodies = new Map(kept.map(({ deliveryKey, body, target }) => [deliveryKey, { body, target }]))
    const [admission, alert] = deliveries
    expect(bodies.get(admission?.id.replaceAll('-', '').slice(0, 20) ?? '')?.target).toBe('ADT^A01')
    const sms = bodies.get(alert?.id ?? '')
    expect(sms?.target).toBe('/sms')
    // No name, no value, no code.
    expect(sms?.body).not.toMatch(/amara|okonkwo|6\.5|2823|potassium/i)
  })
})

describe('a visit that goes on', () => {
  const types: CodeableConcept[] = [{ text: 'Surgery' }, { text: 'Medicine' }]
  const told = async (resource: Encounter & { id: string }, id: string) =>
    (await world.dispatch.listDeliveries(await world.message([resource]))).find(
      ({ subscriptionId }) => subscriptionId.slice(0, 6) === id,
    )

  it('is an admission once, and then what has changed in it', async () => {
    const stay = { ...encounter('in-progress', 'IMP'), id: 'stay' }
    const at = (bed: string) => [{ location: { reference: `Location/${bed}` }, status: 'active' as const }]
    const [first, second] = types
    const versions = [
      { ...stay, location: at('bed-1') },
      { ...stay, location: at('bed-1'), ...(first && { serviceType: first }) },
      { ...stay, location: at('bed-2'), ...(first && { serviceType: first }) },
      { ...stay, location: at('bed-2'), ...(second && { serviceType: second }) },
    ]
    const events: (string | undefined)[] = []
    for (const version of versions)
      events.push(/\rEVN\|(\w+)/.exec((await told(version, 'sub-03'))?.payload ?? '')?.[1])
    expect(events).toEqual(['A01', 'A08', 'A02', 'A08'])
    const left: Encounter = { ...stay, status: 'finished' }
    await world.message([left])
    const back = await told({ ...stay, location: at('bed-2') }, 'sub-03')
    expect(back?.payload).toContain('\rEVN|A13|')
  })

  it('is an arrival once, also while its patient goes from waiting room to treatment', async () => {
    const visit = { ...encounter('arrived', 'EMER'), id: 'emergency' }
    const [first] = types
    const ends: (string | undefined)[] = []
    for (const version of [
      visit,
      { ...visit, status: 'triaged' as const },
      { ...visit, ...(first && { serviceType: first }) },
    ]) {
      ends.push((await told(version, 'sub-04'))?.status)
    }
    expect(ends).toEqual(['delivered', 'skipped', 'skipped'])
    const left: Encounter = { ...visit, status: 'finished' }
    await world.message([left])
    // Whoever left and is back has arrived again.
    expect((await told(visit, 'sub-04'))?.status).toBe('delivered')
  })
})

it('the embedded receivers take a document that is as large as a message may be', async () => {
  const attachment = { contentType: 'application/pdf', data: Buffer.alloc(6_000_000).toString('base64') }
  const scan = { ...document('current'), content: [{ attachment }] }
  const transactionId = await world.message([scan])
  expect(await world.dispatch.listDeliveries(transactionId)).toMatchObject([{ status: 'delivered', answered: '200' }])
})

describe('evaluation', () => {
  it('adds nothing when it is done twice', async () => {
    const transactionId = await world.message([document('current')])
    const [before] = await world.dispatch.listDeliveries(transactionId)
    const resources = [
      {
        reference: 'DocumentReference/letter',
        type: 'DocumentReference',
        versionId: before?.versionId ?? '',
        operation: 'update' as const,
      },
    ]
    const part = tellingPart([world.dispatch.telling], new Outbox({ database: world.database, log: silentLog }))
    const statement = part.statement([finishedMessage({ transactionId, outcome: { ...succeeded, resources } })])
    if (statement !== undefined) await world.database.run(statement)
    await world.dispatch.drain()
    expect(await world.dispatch.listDeliveries(transactionId)).toEqual([before])
  })

  const refused = { ...known, status: 'ERROR', code: 'AR', errorCode: 'X', errorMessage: '', issues: [] } as const

  it('takes what was written of a message that failed: records of a master file of which others were refused', () => {
    const [told] = world.dispatch.telling.messagesOf([finishedMessage({ outcome: refused })])
    expect(told?.payload).toMatchObject([{ resources: [{ type: 'Patient', id: 'p1', versionId: '3' }] }])
  })

  it.each<[string, Finished['outcome']]>([
    ['refused', { ...refused, resources: [] }],
    ['a duplicate', { status: 'DUPLICATE', of: 't', hasOtherContent: false }],
  ])('leaves out a message that was %s', async (_, outcome) => {
    expect(world.dispatch.telling.messagesOf([finishedMessage({ outcome })])).toEqual([])
  })
})

describe('a bridge that starts again', () => {
  it('leaves what an administrator has changed or removed as it is', async () => {
    const { fhirStore, fhirBase } = store
    const first = await fhirStore.read<Subscription>('Subscription', 'sub-01-patient-upsert')
    if (first === undefined) throw new Error('it was not seeded')
    await fhirStore.update({ ...first, id: 'sub-01-patient-upsert', status: 'off' })
    await fhirStore.remove('Subscription', 'sub-02-patient-merge')
    await seedSubscriptions({ fhirBase, hasSink: true }, { fhirStore, database: world.database, clock: systemClock })
    const left = await fhirStore.search<Subscription>('Subscription', { _count: '100' })
    expect(left).toHaveLength(seededSubscriptions.length - 1)
    expect(left.find(({ id }) => id === 'sub-01-patient-upsert')?.status).toBe('off')
  })
})
