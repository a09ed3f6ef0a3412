import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { silentLog } from '../../../../packages/log/log.ts'
import { Metrics } from '../../../../packages/metrics/metrics.ts'
import { sql } from '../../../../packages/sql/sql.ts'
import { lookAtQueues } from '../../../../packages/sql/tasks/measure-queues.ts'
import { capturedLog } from '../../../../packages/testkit/captured-log.ts'
import { waitFor } from '../../../../packages/testkit/wait-for.ts'
import { fhirWorld, type FhirWorld } from '../../testing/fhir-world.ts'
import { mergeQueue } from './note-merges.ts'
import { repointMerged } from './repoint-merged.ts'

let world: FhirWorld
let worker: ReturnType<typeof repointMerged>
beforeAll(async () => {
  world = await fhirWorld()
  worker = repointMerged({ ...world.deps, log: silentLog })
  worker.start()
})
afterAll(async () => {
  await worker.stop()
  await world[Symbol.asyncDispose]()
})

const put = async (resource: {
  readonly resourceType: string
  readonly id: string
  readonly [name: string]: unknown
}) => {
  const { status, text } = await world.call('PUT', `/${resource.resourceType}/${resource.id}`, { body: resource })
  expect(status, text).toBeLessThan(300)
}
const patient = (id: string, into?: string) =>
  put({
    ...{ resourceType: 'Patient', id, active: into === undefined },
    ...(into === undefined ? {} : { link: [{ type: 'replaced-by', other: { reference: `Patient/${into}` } }] }),
  })
const subject = (id: string) => ({ reference: `Patient/${id}` })
const active = {
  coding: [{ system: 'http://terminology.hl7.org/CodeSystem/allergyintolerance-clinical', code: 'active' }],
}
const allergy = (id: string, of: string) =>
  put({ resourceType: 'AllergyIntolerance', id, clinicalStatus: active, patient: subject(of) })
const found = async (query: string) => {
  const { body } = await world.call('GET', `/${query}`)
  return (body.entry ?? []).map(({ resource }) => resource?.id)
}

/** Whatever waits for its time is done. */
async function later(): Promise<void> {
  await world.database.run(sql`update kit.jobs set next_at = created_at where queue = ${mergeQueue}`)
  await worker.drain()
}

describe('the record of a patient who was merged into another', () => {
  it('is found at the survivor, with everything that it said', async () => {
    await patient('a1')
    await patient('a2')
    await allergy('a-allergy', 'a1')
    const value = '{"resourceType":"Observation","id":"a-result","status":"final","code":{"text":"Hb"},'
    const quantity = `"subject":{"reference":"${world.base}/Patient/a1"},"valueQuantity":{"value":9.10}}`
    await world.call('PUT', '/Observation/a-result', { body: value + quantity })
    await patient('a1', 'a2')
    await worker.drain()
    expect(await found('AllergyIntolerance?patient=a2')).toEqual(['a-allergy'])
    expect(await found('Observation?patient=a2')).toEqual(['a-result'])
    expect(await found('AllergyIntolerance?patient=a1')).toEqual([])
    expect((await world.call('GET', '/Observation/a-result')).text).toContain('9.10')
  })

  it('is found at the survivor where it is in no compartment, too, and by a reference to one of its versions', async () => {
    await patient('k1')
    await patient('k2')
    await put({ resourceType: 'Device', id: 'k-device', patient: subject('k1') })
    await put({ resourceType: 'Task', id: 'k-task', status: 'requested', intent: 'order', for: subject('k1') })
    const code = { text: 'Hb' }
    const versioned = { reference: 'Patient/k1/_history/1' }
    await put({ resourceType: 'Observation', id: 'k-result', status: 'final', code, subject: versioned })
    const child = { status: 'final', code, subject: subject('k3'), focus: [subject('k1')] }
    await put({ resourceType: 'Observation', id: 'k-child', ...child })
    await put({ resourceType: 'Linkage', id: 'k-linkage', item: [{ type: 'source', resource: subject('k1') }] })
    await patient('k1', 'k2')
    await worker.drain()
    expect(await found('Device?patient=k2')).toEqual(['k-device'])
    expect(await found('Task?patient=k2')).toEqual(['k-task'])
    expect(await found('Observation?patient=k2')).toEqual(['k-result'])
    expect(await found('Observation?focus=Patient/k2')).toEqual(['k-child'])
    expect(await found('Linkage?item=Patient/k1')).toEqual(['k-linkage'])
  })

  it('has its move in the audit log of both, made by the store itself', async () => {
    await patient('f1')
    await patient('f2')
    await allergy('f-allergy', 'f1')
    await patient('f1', 'f2')
    await worker.drain()
    await world.deps.auditor.drain()
    for (const id of ['f1', 'f2']) {
      const { body } = await world.call('GET', `/AuditEvent?patient=${id}&altid=client:corridor-fhir`)
      const told = (body.entry ?? []).map(({ resource }) => JSON.stringify(resource))
      expect(told).toContainEqual(expect.stringMatching(new RegExp(`"Patient/${id}".*"AllergyIntolerance/f-allergy/`)))
      expect(told.every((event) => event.includes('"action":"U"'))).toBe(true)
    }
  })

  it('follows through every merge, however much there is of it', async () => {
    await patient('b1')
    await patient('b2')
    await patient('b3')
    for (let at = 0; at < 120; at++) await allergy(`b-${at}`, 'b1')
    await patient('b2', 'b3')
    await patient('b1', 'b2')
    await worker.drain()
    expect(await found('AllergyIntolerance?patient=b3&_count=1000')).toHaveLength(120)
  })

  it('is looked at once more for what somebody wrote while it was merged', async () => {
    await patient('c1')
    await patient('c2')
    await patient('c1', 'c2')
    await worker.drain()
    await allergy('c-late', 'c1')
    expect(await found('AllergyIntolerance?patient=c2')).toEqual([])
    await later()
    expect(await found('AllergyIntolerance?patient=c2')).toEqual(['c-late'])
  })

  it('is looked at again where somebody was quicker with all that was left of it', async () => {
    await patient('i1')
    await patient('i2')
    await patient('i1', 'i2')
    await worker.drain()
    await allergy('i-late', 'i1')
    await worker.stop()
    // Somebody writes to the old record at the very moment of each look.
    const { store } = world.deps
    const quicker: Pick<typeof store, 'writeTogether'> = {
      async writeTogether(...given) {
        await allergy('i-late', 'i1')
        return store.writeTogether(...given)
      },
    }
    // Sound: it is the store in all that the worker asks of it.
    worker = repointMerged({ ...world.deps, store: quicker as typeof store, log: silentLog })
    worker.start()
    await later()
    await later()
    expect(await found('AllergyIntolerance?patient=i1')).toEqual(['i-late'])
    await worker.stop()
    worker = repointMerged({ ...world.deps, log: silentLog })
    worker.start()
    await later()
    expect(await found('AllergyIntolerance?patient=i2')).toEqual(['i-late'])
  })

  it('is looked at no more than ten times for somebody who is always quicker', async () => {
    const waiting = sql`select count(*)::integer as jobs from kit.jobs where queue = ${mergeQueue} and key = 'j1'`
    await patient('j1')
    await patient('j2')
    await patient('j1', 'j2')
    await worker.drain()
    await allergy('j-late', 'j1')
    await worker.stop()
    const { store } = world.deps
    const quicker: Pick<typeof store, 'writeTogether'> = {
      async writeTogether(...given) {
        await allergy('j-late', 'j1')
        return store.writeTogether(...given)
      },
    }
    const log = capturedLog()
    // Sound: it is the store in all that the worker asks of it.
    worker = repointMerged({ ...world.deps, store: quicker as typeof store, log: log.log })
    worker.start()
    for (let looks = 0; looks <= 10; looks++) {
      expect(await world.database.one(waiting)).toEqual({ jobs: 1 })
      await later()
    }
    expect(await world.database.one(waiting)).toEqual({ jobs: 0 })
    expect(log.events('a resource of a merged patient stays')).toHaveLength(1)
    await worker.stop()
    worker = repointMerged({ ...world.deps, log: silentLog })
    worker.start()
  })

  it('stays while a consent that was refused for it is in force; consents stay with the record that they name', async () => {
    await patient('d1')
    await patient('d2')
    await allergy('d-allergy', 'd1')
    const consent = (status: string) =>
      put({
        ...{ resourceType: 'Consent', id: 'd-consent', status, patient: subject('d1') },
        scope: { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/consentscope', code: 'patient-privacy' }] },
        category: [{ coding: [{ system: 'http://loinc.org', code: '59284-0' }] }],
        policyRule: { text: 'no' },
        provision: { type: 'deny' },
      })
    await consent('active')
    await patient('d1', 'd2')
    await worker.drain()
    expect(await found('AllergyIntolerance?patient=d1')).toEqual(['d-allergy'])
    const waits = sql`select payload->>'stays' as stays, next_at > now() + interval '30 minutes' as "isLong"
      from kit.jobs where queue = ${mergeQueue} and key = 'd1'`
    expect(await world.database.one(waits)).toEqual({ stays: '1', isLong: false })
    for (let looks = 0; looks < 10; looks++) await later()
    expect(await world.database.one(waits)).toEqual({ stays: '11', isLong: true })
    await consent('inactive')
    await later()
    expect(await found('AllergyIntolerance?patient=d2')).toEqual(['d-allergy'])
    expect(await found('Consent?patient=d1')).toEqual(['d-consent'])
  })

  it('is heard of by those who listen, until they do not', async () => {
    const heard: string[] = []
    const silence = world.deps.mergeListeners.news((ids) => heard.push(...ids))
    await patient('g1')
    await patient('g2')
    await patient('g1', 'g2')
    silence()
    await patient('g2', 'g1')
    expect(heard).toEqual(['g1'])
  })

  it('is told to the processes of other services over the database that all share', async () => {
    const heard: string[] = []
    const hearing = world.database.hear('corridor_patient_merges', (id) => heard.push(id))
    await patient('i2')
    await waitFor(
      async () => {
        await patient('i1')
        await patient('i1', 'i2')
        return heard.length > 0
      },
      { what: 'the notice' },
    )
    expect(new Set(heard)).toEqual(new Set(['i1']))
    await hearing.end()
  })

  it('that was given up is counted', async () => {
    await patient('h1')
    await patient('h2')
    await patient('h1', 'h2')
    await worker.drain()
    const metrics = new Metrics()
    const look = lookAtQueues({ topics: [], jobs: [mergeQueue] }, { ...world.deps, database: world.database, metrics })
    await look()
    expect(await metrics.text()).toContain(`corridor_background_dead{queue="${mergeQueue}"} 0`)
    await world.database.run(sql`update kit.jobs set dead_at = now() where queue = ${mergeQueue} and key = 'h1'`)
    await look()
    expect(await metrics.text()).toContain(`corridor_background_dead{queue="${mergeQueue}"} 1`)
    await world.database.run(sql`update kit.jobs set dead_at = null where queue = ${mergeQueue}`)
  })

  it('stays with a record that is not merged any more', async () => {
    await patient('e1')
    await patient('e2')
    await allergy('e-allergy', 'e1')
    await worker.stop()
    worker = repointMerged({ ...world.deps, log: silentLog })
    await patient('e1', 'e2')
    await patient('e1')
    worker.start()
    await worker.drain()
    expect(await found('AllergyIntolerance?patient=e1')).toEqual(['e-allergy'])
  })
})
