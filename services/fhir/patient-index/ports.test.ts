import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../../packages/clock/clock.ts'
import type { AuditEvent, Patient } from '../../../packages/fhir/r4.ts'
import type { Outbound } from '../../../packages/http/outbound/outbound.ts'
import { patientIndexContract } from '../../../ports/patient-index/contract.ts'
import { corridorPatientIndex } from '../../../ports/patient-index/corridor-patient-index.ts'
import { httpPatientIndex } from '../../../ports/patient-index/http-patient-index.ts'
import { systemIds } from '../../../packages/clock/ids.ts'
import { fhirWorld, program, tokenOf, type FhirWorld } from '../testing/fhir-world.ts'
import { listReviews } from './store/reviews.ts'
import { newGoldenId } from './golden/golden-id.ts'
import { patientIndexInProcess } from './in-process.ts'
import { personOf } from './person.ts'
import { outboundTo } from './testing/outbound-to.ts'

let world: FhirWorld
let outbound: Outbound
beforeAll(async () => {
  world = await fhirWorld()
  outbound = outboundTo(world.base)
})
afterAll(async () => {
  await outbound.close()
  await world[Symbol.asyncDispose]()
})

/** Corridor's own index says itself which golden record somebody gets. */
const neverOwn = () => expect.unreachable('the index was asked in the way of R4')

const token = async () => tokenOf(program)
const put = (patient: { readonly id: string }) => world.call('PUT', `/Patient/${patient.id}`, { body: patient })

patientIndexContract('in process', 'a', () => ({ index: patientIndexInProcess(world.deps), put }))

patientIndexContract('of Corridor over HTTP', 'f', () => ({
  index: corridorPatientIndex({ base: world.base, outbound, token, newGoldenId: neverOwn, clock: systemClock }),
  put,
}))

patientIndexContract('of any R4 server', 'k', () => ({
  index: httpPatientIndex({
    base: world.base,
    outbound,
    token,
    newGoldenId: (patient) => newGoldenId(personOf(patient), systemIds),
  }),
  put,
}))

describe('over HTTP', () => {
  const amina = { resourceType: 'Patient', name: [{ family: 'Httpson', given: ['Amina'] }], birthDate: '1984-03-12' }

  it('a caller is told only of patients within reach', async () => {
    await put({ ...amina, id: 'http-1' })
    const match = (as: object) => world.call('POST', '/Patient/$match', { body: amina, as })
    expect((await match(program)).body.total).toBe(1)
    expect((await match({ scope: 'patient/*.rs', patient: 'http-1' })).body.total).toBe(1)
    expect((await match({ scope: 'patient/*.rs', patient: 'somebody' })).body.total).toBe(0)
    expect((await match({ scope: 'system/Observation.rs' })).status).toBe(403)
    expect((await world.call('POST', '/Patient/$match', { body: amina, as: null })).status).toBe(401)
  })

  it('too little to look for is an OperationOutcome with 400', async () => {
    const { status, body } = await world.call('POST', '/Patient/$match', { body: { resourceType: 'Patient' } })
    expect([status, body.resourceType]).toEqual([400, 'OperationOutcome'])
  })

  it.each([
    ['extension', 'identity-unknown'],
    ['extension', [null]],
    ['extension', [{ valueBoolean: true }]],
    ['extension', [{ url: 7, valueBoolean: true }]],
    ['name', [{ use: 7 }]],
  ])('a patient to resolve whose %s is %j is refused, and its place named', async (member, value) => {
    const { origin } = new URL(world.base)
    const answer = await fetch(`${origin}/api/patient-index/resolve`, {
      method: 'POST',
      headers: { authorization: `Bearer ${await token()}`, 'content-type': 'application/json' },
      body: JSON.stringify({ patients: [{ ...amina, [member]: value }], onlyRecognise: true }),
    })
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining(`patients[0].${member}`)])
  })

  it('reviews are listed, confirmed and rejected by administrators alone', async () => {
    const origin = new URL(world.base).origin
    const api = (method: string, path: string, as: object) =>
      fetch(`${origin}/api/patient-index/${path}`, { method, headers: { authorization: `Bearer ${tokenOf(as)}` } })
    const admin = { roles: ['ADMIN' as const], subject: 'admin', scope: 'openid user/*.cruds' }
    expect((await api('GET', 'reviews', { ...admin, roles: ['CLINICIAN'] })).status).toBe(403)
    const page = (await (await api('GET', 'reviews?status=open', admin)).json()) as { content: unknown[] }
    expect(page).toMatchObject({ number: 0, size: 20, content: expect.any(Array) })
    const nobody = '00000000-0000-4000-8000-000000000000'
    expect((await api('POST', `reviews/${nobody}/confirm`, admin)).status).toBe(404)
    expect((await api('POST', `reviews/${nobody}/reject`, { roles: ['SYSTEM'] })).status).toBe(403)
    expect((await api('POST', 'resolve', admin)).status).toBe(403)
  })

  it.each([
    ['openid fhirUser', 403, 403],
    ['launch patient/*.cruds', 403, 403],
    ['user/Observation.cruds user/AuditEvent.cruds', 403, 403],
    ['user/Patient.rs?identifier=urn:central|7 user/Patient.u?identifier=urn:central|7', 403, 403],
    ['user/Patient.rs', 200, 403],
    ['user/Patient.rus', 200, 404],
    ['system/*.cruds', 200, 404],
  ])(
    'an app that an administrator lets in with %s is answered %i for the list, %i for a merge',
    async (scope, ...expected) => {
      const origin = new URL(world.base).origin
      const bearer = `Bearer ${tokenOf({ roles: ['ADMIN'], subject: 'admin', patient: 'amina-diallo', scope })}`
      const api = async (method: string, path: string) =>
        (await fetch(`${origin}/api/patient-index/${path}`, { method, headers: { authorization: bearer } })).status
      const nobody = '00000000-0000-4000-8000-000000000000'
      const statuses = [await api('GET', 'reviews'), await api('POST', `reviews/${nobody}/confirm`)]
      expect([...statuses, await api('POST', `reviews/${nobody}/reject`)]).toEqual([...expected, expected[1]])
    },
  )

  it('who decided on a review, or wanted to, is in the audit log of everybody whom it is about', async () => {
    const origin = new URL(world.base).origin
    const index = patientIndexInProcess(world.deps)
    const named = (given: string, number: string): Patient => ({
      ...{ resourceType: 'Patient', gender: 'female', birthDate: '1971-06-05' },
      ...{ name: [{ family: 'Auditson', given: [given] }], identifier: [{ system: 'urn:central', value: number }] },
    })
    const people = [named('Beata', 'audit-1'), named('Beatrix', 'audit-2')]
    const goldenIds: string[] = []
    for (const [at, patient] of people.entries()) {
      const [found] = await index.resolve([patient])
      goldenIds.push(found?.goldenId ?? '')
      const link = [{ type: 'refer', other: { reference: `Patient/${found?.goldenId}` } }]
      await put({ ...patient, id: `audit-${at}`, link } as Patient & { id: string })
    }
    const { reviews } = await listReviews('open', { size: 100, offset: 0 }, world.database)
    const review = reviews.find(({ goldenId }) => goldenId === goldenIds[1])
    const decide = (role: 'ADMIN' | 'CLINICIAN') =>
      fetch(`${origin}/api/patient-index/reviews/${review?.id}/confirm`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${tokenOf({ roles: [role], subject: `the ${role}`, scope: 'user/*.cruds' })}`,
        },
      })
    const statuses = [await decide('CLINICIAN'), await decide('ADMIN'), await decide('ADMIN')].map(
      ({ status }) => status,
    )
    expect(statuses).toEqual([403, 200, 409])
    await world.deps.auditor.drain()
    const found = await world.call('GET', '/AuditEvent?_count=1000', { as: { roles: ['ADMIN'], scope: 'system/*.rs' } })
    // Sound: the search was for these.
    const events = found.body.entry.map(({ resource }) => resource as unknown as AuditEvent)
    const question = Buffer.from(`patient-index/reviews/${review?.id}/confirm`).toString('base64')
    const told = events.filter(({ entity = [] }) => entity.some(({ query }) => query === question))
    const printed = told.map(({ outcome, entity = [] }) => [outcome, entity[0]?.what?.reference])
    expect(printed.filter(([outcome]) => outcome === '4')).toHaveLength(2)
    const done = printed.filter(([outcome]) => outcome === '0').map(([, patient]) => patient)
    expect(done).toEqual(expect.arrayContaining(goldenIds.map((id) => `Patient/${id}`)))
  })
})
