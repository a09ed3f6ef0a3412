import { afterAll, beforeAll, expect, it } from 'vitest'
import { fhirStoreContract } from '../../ports/fhir-store/contract.ts'
import { facilityChoices } from '../../ports/fhir-store/facility-choices.ts'
import { httpFhirStore } from '../../ports/fhir-store/http-fhir-store.ts'
import { inProcessFhirStore } from '../../ports/fhir-store/in-process-fhir-store.ts'
import { systemClock } from '../../packages/clock/clock.ts'
import { makeOutbound, type Outbound } from '../../packages/http/outbound/outbound.ts'
import { callerWith } from '../../packages/http/testing/test-server.ts'
import { silentLog } from '../../packages/log/log.ts'
import { Metrics } from '../../packages/metrics/metrics.ts'
import { fhirUseCases } from './in-process.ts'
import { fhirWorld, program, tokenOf, type FhirWorld, type TestCaller } from './testing/fhir-world.ts'

const reader: TestCaller = { roles: ['SYSTEM'], scope: 'system/*.rs' }

let world: FhirWorld
let outbound: Outbound
beforeAll(async () => {
  world = await fhirWorld()
  outbound = makeOutbound({
    origins: [world.base],
    ...{ deadlineMs: 10_000, responseBytesMax: 10_000_000, clock: systemClock, log: silentLog, metrics: new Metrics() },
  })
})
afterAll(async () => {
  await outbound.close()
  await world[Symbol.asyncDispose]()
})

const inProcess = ({ roles = [], scope = '' }: TestCaller) =>
  inProcessFhirStore(fhirUseCases(callerWith(roles, scope), world.deps))
const overHttp = (caller: TestCaller) =>
  httpFhirStore({ base: world.base, outbound, token: async () => tokenOf(caller) })

fhirStoreContract('in-process', () => ({ store: inProcess(program), reader: inProcess(reader) }))
fhirStoreContract('HTTP', () => ({ store: overHttp(program), reader: overHttp(reader) }))

it('whoever is confined to a patient finds only that patient by identifiers', async () => {
  const patient = (id: string) => ({
    ...{ resourceType: 'Patient' as const, id },
    identifier: [{ system: 'urn:confined', value: id }],
  })
  await inProcess(program).update(patient('own-one'))
  await inProcess(program).update(patient('other-one'))
  const confined = { ...callerWith(['PATIENT'], 'patient/*.rs'), patient: 'own-one' }
  const found = await inProcessFhirStore(fhirUseCases(confined, world.deps)).findByIdentifiers([
    { type: 'Patient', system: 'urn:confined', value: 'other-one' },
    { type: 'Patient', value: 'own-one' },
  ])
  expect(found.map((each) => each.map(({ id }) => id))).toEqual([[], ['own-one']])
})

it('a create that is refused is in the audit log, as one over HTTP is', async () => {
  const before = await refusedCreates()
  const observation = { resourceType: 'Observation' as const, status: 'final' as const, code: { text: 'x' } }
  await expect(inProcess(reader).create(observation)).rejects.toMatchObject({ kind: 'forbidden' })
  await expect(overHttp(reader).create(observation)).rejects.toMatchObject({ kind: 'forbidden' })
  expect((await refusedCreates()) - before).toBe(2)
})

it('a patient who asks for what no text may hold is told that it is not there, and the audit log goes on', async () => {
  const own: TestCaller = { roles: ['PATIENT'], scope: 'patient/*.rs', patient: 'own-one', fhirUser: 'Patient/own-one' }
  const caller = { ...callerWith(['PATIENT'], 'patient/*.rs'), patient: 'own-one', fhirUser: 'Patient/own-one' }
  await inProcess(program).update({ resourceType: 'Patient', id: 'own-one' })
  const before = await readsOf('own-one')
  for (const id of ['%00', 'a%00b', 'a%00b/_history/1', 'a%00b/_history']) {
    expect((await world.call('GET', `/Patient/${id}`, { as: own })).status, id).toBe(404)
  }
  const unread = fhirUseCases(caller, world.deps).read('Patient', 'a\u0000b')
  await expect(unread).rejects.toMatchObject({ kind: 'missing' })
  expect((await world.call('GET', '/Patient/own-one', { as: own })).status).toBe(200)
  expect((await readsOf('own-one')) - before).toBe(1)
})

async function readsOf(patient: string): Promise<number> {
  await world.deps.auditor.drain()
  const { body } = await world.call('GET', `/AuditEvent?patient=${patient}&action=R&outcome=0&_summary=count`)
  return body.total
}

async function refusedCreates(): Promise<number> {
  await world.deps.auditor.drain()
  const { body } = await world.call('GET', '/AuditEvent?action=C&outcome=4&_summary=count', {
    as: { roles: [], scope: 'system/*.read' },
  })
  return body.total
}

it('every facility of a large registry can be chosen', async () => {
  const numbers = Array.from({ length: 205 }, (_, number) => String(number).padStart(3, '0'))
  await inProcess(program).transaction({
    ...{ resourceType: 'Bundle', type: 'transaction' },
    entry: numbers.map((number) => ({
      request: { method: 'PUT', url: `Organization/facility-${number}` },
      resource: {
        ...{ resourceType: 'Organization', id: `facility-${number}`, name: `Facility ${number}` },
        // Every third does not say it, and one is closed.
        ...(Number(number) % 3 === 0 ? {} : { active: number !== '200' }),
        identifier: [{ system: 'urn:corridor:facility-code', value: number }],
      },
    })),
  })
  const choices = numbers
    .filter((number) => number !== '200')
    .map((number) => ({ value: `Organization/facility-${number}`, label: `Facility ${number}` }))
  for (const store of [inProcess(reader), overHttp(reader)]) expect(await facilityChoices(store)).toEqual(choices)
})
