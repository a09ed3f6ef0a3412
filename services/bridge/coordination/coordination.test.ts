import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../../packages/clock/clock.ts'
import { systemIds } from '../../../packages/clock/ids.ts'
import { SimulatedClock } from '../../../packages/clock/simulated-clock.ts'
import { forbidden, unavailable } from '../../../packages/faults/fault.ts'
import { JobQueue } from '../../../packages/sql/tasks/job-queue.ts'
import { Outbox } from '../../../packages/sql/tasks/outbox.ts'
import { sql } from '../../../packages/sql/sql.ts'
import { waitFor } from '../../../packages/testkit/wait-for.ts'
import type { PostWriteEvent } from '../../../ports/coordination/coordination.ts'
import type { SearchParameters } from '../../../ports/fhir-store/fhir-store.ts'
import type { CallOptions } from '../../../ports/call-options.ts'
import type { Resource } from '../../../ports/fhir-store/resources.ts'
import { httpResourceMatching } from '../../../ports/resource-matching/http-resource-matching.ts'
import { noSmsGateway } from '../../../ports/sms-gateway/http-sms-gateway.ts'
import { derivedId } from '../derived-id.ts'
import { sinkDeliveries } from '../outbound/testing/sink-deliveries.ts'
import { encounter, merged, observation, patient, prescription } from '../outbound/testing/clinical-resources.ts'
import { dispatchWorld, storeWorld, type DispatchWorld, type StoreWorld } from '../outbound/testing/dispatch-world.ts'
import { httpReceiver } from '../outbound/testing/receivers.ts'
import { escalationQueue } from './escalate-alerts.ts'
import { embeddedCoordination } from './embedded-coordination.ts'
import { acknowledge } from '../routes/alerts.ts'
import { patientSummary } from './patient-summary.ts'
import { cardsOf, readSummary, staleSections } from './store/coordination.ts'
import { openAlerts } from './testing/open-alerts.ts'

const amara = 'Patient/amara'
const allergyStatuses = 'http://terminology.hl7.org/CodeSystem/allergyintolerance-clinical'
const byOthers = expect.objectContaining({ id: 'written-by-others' }) as unknown

let store: StoreWorld
beforeAll(async () => {
  store = await storeWorld()
})
afterAll(() => store[Symbol.asyncDispose]())

describe('the embedded coordination service', () => {
  let world: DispatchWorld
  let clock: SimulatedClock
  beforeEach(async () => {
    clock = new SimulatedClock('2026-03-04T05:00:00Z')
    world = await dispatchWorld(store, { clock })
    await world.message([patient])
  })
  afterEach(() => world[Symbol.asyncDispose]())

  it('keeps a summary of a patient and builds anew only what has changed', async () => {
    const first = await world.dispatch.summaryOf(amara)
    expect(first.demographics).toMatchObject([{ id: 'amara' }])
    await world.message([encounter('in-progress', 'IMP')])
    expect(await readSummary(amara, world.database)).toMatchObject({ staleSections: ['encounters'] })
    const second = await world.dispatch.summaryOf(amara)
    expect(second.encounters).toMatchObject([{ id: 'visit-imp' }])
    expect(await readSummary(amara, world.database)).toMatchObject({ staleSections: [] })
  })

  it.each([
    ['for the first time', false],
    ['because that section has changed', true],
  ])('keeps no section for fresh that changes while it is built %s', async (_, isKnown) => {
    const { database } = world
    if (isKnown) {
      await world.dispatch.summaryOf(amara)
      await staleSections([{ patient: amara, sections: ['encounters'] }], database)
    }
    const fhirStore: StoreWorld['fhirStore'] = {
      ...store.fhirStore,
      async search<T extends Resource>(type: string, parameters: SearchParameters, call?: CallOptions) {
        const before = await store.fhirStore.search<T>(type, parameters, call)
        if (type === 'Encounter') await staleSections([{ patient: amara, sections: ['encounters'] }], database)
        return before
      },
    }
    await patientSummary(amara, { fhirStore, database, clock })
    expect((await readSummary(amara, database))?.staleSections).toContain('encounters')
  })

  it('builds a summary anew after five minutes, because others write without telling it', async () => {
    await world.dispatch.summaryOf(amara)
    await store.fhirStore.update({ ...encounter('in-progress', 'AMB'), id: 'written-by-others' })
    await clock.leap(299_999)
    expect((await world.dispatch.summaryOf(amara)).encounters).not.toContainEqual(byOthers)
    await clock.advance(1)
    expect((await world.dispatch.summaryOf(amara)).encounters).toContainEqual(byOthers)
  })

  it('shows every allergy of a patient, also where they are more than a page holds', async () => {
    await store.fhirStore.transaction({
      resourceType: 'Bundle',
      type: 'transaction',
      entry: Array.from({ length: 201 }, (_, number) => ({
        request: { method: 'PUT', url: `AllergyIntolerance/allergy-${number}` },
        resource: {
          ...{
            resourceType: 'AllergyIntolerance',
            id: `allergy-${number}`,
            patient: { reference: 'Patient/allergic' },
          },
          code: { text: `Substance ${number}` },
          clinicalStatus: { coding: [{ system: allergyStatuses, code: 'active' }] },
        },
      })),
    })
    expect((await world.dispatch.summaryOf('Patient/allergic')).allergies).toHaveLength(201)
  })

  it('keeps no summary of somebody who is not there', async () => {
    expect(await world.dispatch.summaryOf('Patient/nobody')).toMatchObject({ demographics: [] })
    expect(await readSummary('Patient/nobody', world.database)).toBeUndefined()
  })

  it('forgets the summaries of patients who were merged', async () => {
    await store.fhirStore.update({ ...patient, id: merged.id })
    await world.dispatch.summaryOf('Patient/amara-old')
    expect(await readSummary('Patient/amara-old', world.database)).toBeDefined()
    await world.message([merged])
    expect(await readSummary('Patient/amara-old', world.database)).toBeUndefined()
  })

  it('says so when a result is dangerous together with a drug', async () => {
    await world.message([prescription('active', 'Lisinopril 10 mg')])
    expect(await cardsOf(amara, 10, world.database)).toEqual([])
    await world.message([observation('H')])
    const cards = await cardsOf(amara, 10, world.database)
    expect(cards).toMatchObject([
      { rule: 'potassium-raas', resource: 'Observation/potassium', card: { indicator: 'critical' } },
    ])
  })

  it.each([
    ['does not answer', unavailable('Away.')],
    ['refuses', forbidden('Not you.')],
  ])('raises alerts while the store %s a search for drugs, and says later what the rules say', async (_, fault) => {
    let isRefused = true
    const fhirStore: StoreWorld['fhirStore'] = {
      ...store.fhirStore,
      async searchAll<T extends Resource>(type: string, parameters: SearchParameters, call?: CallOptions) {
        if (isRefused && type === 'MedicationRequest') throw fault
        return store.fhirStore.searchAll<T>(type, parameters, call)
      },
    }
    await using own = await dispatchWorld({ ...store, fhirStore }, { clock })
    await own.message([patient, prescription('active', 'Lisinopril 10 mg')])
    await own.message([observation('HH')])
    await own.message([observation('LL', { id: 'later' })])
    const raised = (await openAlerts(own.database)).map(({ resource }) => resource)
    expect(raised.sort()).toEqual(['Observation/later', 'Observation/potassium'])
    expect(await cardsOf(amara, 10, own.database)).toEqual([])
    isRefused = false
    const arrived = async () => {
      await clock.leap(300_000)
      await own.dispatch.drain()
      return (await cardsOf(amara, 10, own.database)).length > 0
    }
    await waitFor(arrived, { everyMs: 5, what: 'a card' })
  })

  it('tells apart the patients whose results one message holds', async () => {
    const bisi = 'Patient/bisi'
    const hers = { id: 'of-bisi', subject: { reference: bisi } }
    await world.message([{ ...patient, id: 'bisi' }])
    await world.message([{ ...prescription('active', 'Lisinopril 10 mg'), ...hers }], { patient: bisi })
    await world.dispatch.summaryOf(bisi)
    await world.message([observation('HH', { id: 'of-amara' }), observation('HH', hers)], {
      ...{ patient: amara, others: [bisi] },
    })
    const alerts = await openAlerts(world.database)
    expect(Object.fromEntries(alerts.map(({ resource, patient: whose }) => [resource, whose]))).toEqual({
      'Observation/of-amara': amara,
      'Observation/of-bisi': bisi,
    })
    expect(await cardsOf(bisi, 10, world.database)).toMatchObject([{ resource: 'Observation/of-bisi' }])
    expect((await readSummary(bisi, world.database))?.staleSections).toContain('results')
  })

  it('escalates a critical result until somebody acknowledges it', async () => {
    await world.message([observation('HH')])
    const [alert] = await openAlerts(world.database)
    expect(alert).toMatchObject({ patient: amara, resource: 'Observation/potassium', escalations: 0 })
    await escalated(1)
    await escalated(2)
    const by = { caller: { subject: 'dr-amara', clientId: 'demo-app' }, requestId: 'r-1' }
    await acknowledge(alert?.id ?? '', by, { database: world.database, clock, ids: systemIds })
    await clock.leap(3_600_000)
    await world.dispatch.drain()
    expect(await escalations()).toHaveLength(2)
    expect(await openAlerts(world.database)).toEqual([])
  })

  it('raises one, once, for a result that is not final yet, or of which nobody says how it stands', async () => {
    const told: number[] = []
    for (const status of ['preliminary', 'unknown', 'final', 'corrected'] as const) {
      await world.message([observation('HH', { id: 'of-an-old-laboratory', status })])
      told.push((await openAlerts(world.database)).length)
    }
    expect(told).toEqual([1, 1, 1, 2])
  })

  it('raises no other alert for a version that says the same, but one for each that says something else', async () => {
    const { coding = [] } = observation('HH').code
    const learned = { coding: [...coding, { system: 'urn:local', code: 'K' }] }
    const told: number[] = []
    const versions: [Parameters<typeof observation>[0], Parameters<typeof observation>[1]][] = [
      ['HH', {}],
      ['HH', { code: learned }],
      ['HH', { code: learned, note: [{ text: 'Called.' }] }],
      ['HH', { valueQuantity: { value: 6.9 } }],
      ['N', { valueQuantity: { value: 4.1 }, status: 'corrected' }],
      ['HH', { valueQuantity: { value: 6.9 }, status: 'corrected' }],
    ]
    for (const [flag, given] of versions) {
      await world.message([observation(flag, { ...given, id: 'told-once' })])
      told.push((await openAlerts(world.database)).length)
    }
    expect(told).toEqual([1, 1, 1, 2, 2, 3])
  })

  it('lets an alert go along with its result to another patient, and raises a new one where somebody has seen it', async () => {
    const bisi = 'Patient/bisi'
    const inTheNameOf = async () => (await openAlerts(world.database)).map(({ patient: whose }) => whose)
    const toldOf = (whose: string) =>
      world.message([observation('HH', { id: 'moved-on', subject: { reference: whose } })], { patient: whose })
    await toldOf(amara)
    await toldOf(bisi)
    expect(await inTheNameOf()).toEqual([bisi])
    const [alert] = await openAlerts(world.database)
    const by = { caller: { subject: 'dr-amara', clientId: 'demo-app' }, requestId: 'r-1' }
    await acknowledge(alert?.id ?? '', by, { database: world.database, clock, ids: systemIds })
    await toldOf(amara)
    expect(await inTheNameOf()).toEqual([amara])
  })

  it('raises one for what nobody was told of, though it was as critical before a message came', async () => {
    await store.fhirStore.update(observation('HH', { id: 'by-others' }))
    const noted = { id: 'by-others', note: [{ text: 'Called.' }] }
    await world.message([observation('HH', noted)])
    expect(await openAlerts(world.database)).toMatchObject([{ resource: 'Observation/by-others' }])
  })

  it('escalates no more often than it should', async () => {
    await world.message([observation('LL')])
    for (const count of [1, 2, 3]) await escalated(count)
    await clock.leap(7_200_000)
    await world.dispatch.drain()
    expect(await escalations()).toHaveLength(3)
  })

  it('escalates as soon as short messages can be sent again, however long that took', async () => {
    let isDown = true
    await using gateway = await httpReceiver(() => (isDown ? 503 : 200))
    await using own = await dispatchWorld(store, { clock, outbound: { smsGatewayUrl: gateway.endpoint } })
    const told = () => gateway.received.filter(({ body }) => body.includes('not been acknowledged')).length
    const until = (isDone: () => boolean, what: string) => {
      const later = async () => {
        await clock.leap(300_000)
        await own.dispatch.drain()
        return isDone()
      }
      return waitFor(later, { what, deadlineMs: 60_000 })
    }
    await own.message([patient, observation('HH')])
    // More often than other work is tried at most.
    await until(() => told() > 12, 'many attempts')
    const [alert] = await openAlerts(own.database)
    expect(alert).toMatchObject({ escalations: 0 })
    isDown = false
    const before = told()
    await until(() => told() > before, 'the escalation')
    await expect.poll(async () => (await openAlerts(own.database))[0]?.escalations).toBe(1)
  })

  const escalations = async () =>
    (await sinkDeliveries(world.database)).filter(({ body }) => body.includes('not been acknowledged'))

  const escalated = (count: number) =>
    waitFor(
      async () => {
        await clock.leap(100_000)
        await world.dispatch.drain()
        return (await escalations()).length === count
      },
      { everyMs: 5, what: `escalation ${count}` },
    )
})

describe('events that come together', () => {
  const event = (number: number, about: Partial<PostWriteEvent>): PostWriteEvent => ({
    ...{ eventId: derivedId('event', number), eventType: 'POST_WRITE', occurredAt: '2026-03-04T05:00:00Z' },
    ...{ transactionId: `t-${number}`, channelId: 'oru', messageType: 'ORU^R01', controlId: `C${number}` },
    ...{ facilityCode: 'CENTRAL', organization: null, patient: amara, goldenPatientId: null, encounter: null },
    ...{ resources: [], sections: [], flags: { critical: false, merge: false }, purposeOfUse: 'TREAT' },
    ...about,
  })
  const resultOf = ({ id, meta }: Resource) => ({
    ...{ reference: `Observation/${id}`, type: 'Observation', operation: 'update' as const },
    versionId: meta?.versionId ?? null,
  })

  it('make every section stale that one of them has changed, and raise every alert once', async () => {
    await using world = await dispatchWorld(store)
    const coordination = embeddedIn(world)
    await world.dispatch.summaryOf(amara)
    const results = [await written(observation('HH', { id: 'one' })), await written(observation('LL', { id: 'two' }))]
    const events = [
      ...results.map((result, index) => event(index, { sections: ['results'], resources: [resultOf(result)] })),
      event(2, { sections: ['medications'] }),
    ]
    await coordination.postWrite(events)
    await coordination.postWrite(events)
    expect(await readSummary(amara, world.database)).toMatchObject({ staleSections: ['medications', 'results'] })
    const raised = await openAlerts(world.database)
    expect(raised.map(({ resource }) => resource).sort()).toEqual(['Observation/one', 'Observation/two'])
    const { looks } = await world.database.one<{ looks: number }>(
      sql`select count(*)::int as looks from kit.jobs where queue = ${escalationQueue}`,
    )
    expect(looks).toBe(2)
  })

  it('raise one alert for two versions that say the same, and none for one that is run again where nobody can say what was before', async () => {
    await using world = await dispatchWorld(store)
    const first = await written(observation('HH', { id: 'twice' }))
    const second = await written(observation('HH', { id: 'twice', note: [{ text: 'Called.' }] }))
    const [before, after] = [first, second].map((version) => ({ ...resultOf(version), operation: 'update' as const }))
    const coordination = embeddedIn(world)
    if (before === undefined || after === undefined) throw new Error('two were written')
    await coordination.postWrite(
      [20, 21].map((number, at) => event(number, { resources: [at === 0 ? before : after] })),
    )
    const unversioned = { ...after, versionId: null }
    await coordination.postWrite([event(22, { resources: [unversioned], isRerun: true })])
    expect(await openAlerts(world.database)).toHaveLength(1)
    await coordination.postWrite([event(23, { resources: [unversioned] })])
    expect(await openAlerts(world.database)).toHaveLength(2)
  })

  it('are looked at for all patients, also where one has more prescriptions than a page holds', async () => {
    await using world = await dispatchWorld(store)
    await store.fhirStore.transaction({
      resourceType: 'Bundle',
      type: 'transaction',
      entry: Array.from({ length: 201 }, (_, number) => ({
        request: { method: 'PUT', url: `MedicationRequest/many-${number}` },
        resource: prescriptionOf('many', `many-${number}`, 'Paracetamol 500 mg'),
      })),
    })
    await written(prescriptionOf('many', 'of-many', 'Warfarin 5 mg'))
    await written(prescriptionOf('few', 'few-1', 'Warfarin 3 mg'))
    const inr = { code: { coding: [{ system: 'http://loinc.org', code: '6301-6' }] }, valueQuantity: { value: 6.1 } }
    const events = []
    for (const [index, id] of ['many', 'few', 'none'].entries()) {
      const about = { ...inr, id: `inr-${id}`, subject: { reference: `Patient/${id}` } }
      const result = await written(observation('H', about))
      events.push(event(10 + index, { patient: `Patient/${id}`, resources: [resultOf(result)] }))
    }
    await embeddedIn(world).postWrite(events)
    await world.dispatch.drain()
    expect(await cardsOf('Patient/few', 10, world.database)).toMatchObject([{ rule: 'warfarin-inr' }])
    expect(await cardsOf('Patient/many', 10, world.database)).toMatchObject([{ rule: 'warfarin-inr' }])
    expect(await cardsOf('Patient/none', 10, world.database)).toEqual([])
  })

  const written = async (resource: Resource & { readonly id: string }) =>
    (await store.fhirStore.update(resource)).resource

  const prescriptionOf = (patientId: string, id: string, text: string) => ({
    ...prescription('active', text),
    ...{ id, subject: { reference: `Patient/${patientId}` } },
  })

  const embeddedIn = ({ database, log }: DispatchWorld) =>
    embeddedCoordination({
      ...{ database, clock: systemClock, sms: noSmsGateway },
      jobs: new JobQueue({ database, log: log.log }),
      outbox: new Outbox({ database, log: log.log }),
      matching: httpResourceMatching(store.fhirStore),
      escalation: { afterSeconds: 900, max: 3, phone: '+99900000001' },
    })
})

describe('a coordination service elsewhere', () => {
  it('gets every event at least once, with a key that does not change', async () => {
    let isDown = true
    const clock = new SimulatedClock('2026-03-04T05:00:00Z')
    await using receiver = await httpReceiver(() => (isDown ? 503 : 202))
    await using world = await dispatchWorld(store, {
      clock,
      coordination: { url: receiver.endpoint, authorization: 'Bearer secret' },
    })
    const sending = world.message([observation('AA')])
    await waitFor(() => receiver.received.length > 0, { what: 'a first attempt' })
    isDown = false
    const arrived = async () => clock.leap(60_000).then(() => receiver.received.length > 1)
    await waitFor(arrived, { everyMs: 5, what: 'the event to be sent again' })
    const transactionId = await sending
    const keys = receiver.received.map(({ headers }) => headers['idempotency-key'])
    expect(new Set(keys).size).toBe(1)
    const event = JSON.parse(receiver.received[0]?.body ?? '') as PostWriteEvent
    expect(event).toMatchObject({
      ...{ eventId: keys[0], eventType: 'POST_WRITE', transactionId, patient: amara, facilityCode: 'CENTRAL' },
      ...{ sections: ['results'], flags: { critical: true, merge: false }, purposeOfUse: 'TREAT' },
      resources: [{ reference: 'Observation/potassium', type: 'Observation', operation: 'update' }],
    })
    expect(receiver.received[0]?.headers.authorization).toBe('Bearer secret')
  })
})
