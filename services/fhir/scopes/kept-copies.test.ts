import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serviceCaller } from '../../../packages/tokens/service-caller.ts'
import { fhirUseCases } from '../in-process.ts'
import { fhirWorld, program, type FhirWorld, type TestCaller } from '../testing/fhir-world.ts'
import { keptCopies, refusalOfCopy } from './kept-copies.ts'

const clinician: TestCaller = { roles: ['CLINICIAN'], fhirUser: 'Practitioner/dr-amara', scope: 'user/*.cruds' }
const admin: TestCaller = { roles: ['ADMIN'], fhirUser: 'Practitioner/admin', scope: 'user/*.cruds' }
const patient: TestCaller = {
  roles: ['PATIENT'],
  fhirUser: 'Patient/amina',
  patient: 'amina',
  scope: 'patient/*.cruds',
}
const keepers = {
  Consent: { roles: ['SYSTEM'], clientId: 'svc-consent', scope: 'system/Consent.cruds' },
  ServiceRequest: { roles: ['SYSTEM'], clientId: 'svc-referral', scope: 'system/*.cruds' },
  Task: { roles: ['SYSTEM'], clientId: 'svc-referral', scope: 'system/*.cruds' },
} as const satisfies Record<string, TestCaller>
const where = {
  Consent: 'http://consent.test/api/consent',
  ServiceRequest: 'http://referral.test/api/referrals',
  Task: 'http://referral.test/api/referrals',
} as const
type CopiedType = keyof typeof keepers

const about = { reference: 'Patient/amina' }
const copies: readonly Copy[] = [
  {
    resourceType: 'Consent',
    id: 'consent-7',
    identifier: [{ system: 'urn:corridor:consent:record', value: '7' }],
    status: 'active',
    scope: { text: 'privacy' },
    category: [{ text: 'consent' }],
    patient: about,
    policyRule: { text: 'opt-in' },
  },
  {
    resourceType: 'ServiceRequest',
    id: 'corridor-referral-7',
    identifier: [{ system: 'http://referral.test/api/referrals', value: '7' }],
    status: 'active',
    intent: 'order',
    subject: about,
  },
  {
    resourceType: 'Task',
    id: 'corridor-referral-task-7',
    identifier: [{ system: 'http://referral.test/api/referrals/tasks', value: '7' }],
    status: 'requested',
    intent: 'order',
    for: about,
  },
]

let world: FhirWorld
const call: FhirWorld['call'] = (...given) => world.call(...given)
beforeAll(async () => {
  world = await fhirWorld()
  await call('PUT', '/Patient/amina', { body: { resourceType: 'Patient', id: 'amina' } })
  for (const copy of copies) {
    await call('PUT', `/${copy.resourceType}/${copy.id}`, { as: keepers[copy.resourceType], body: copy })
  }
})
afterAll(() => world[Symbol.asyncDispose]())

describe.each(copies)('a copy ($resourceType)', (copy) => {
  const { resourceType, id, identifier, ...content } = copy
  const path = `/${resourceType}/${id}`
  const bySearch = `/${resourceType}?identifier=${identifier[0]?.system}|7`
  const change = [{ op: 'add', path: '/language', value: 'de' }]
  const asPatch = { 'content-type': 'application/json-patch+json' }
  const stale = { 'if-match': 'W/"77"' }
  const forged = { ...content, resourceType, identifier }

  it.each<[string, string, object?, Record<string, string>?]>([
    ['PUT', path, copy],
    ['PUT', path, { ...content, resourceType, id }],
    ['PUT', path, copy, stale],
    ['PUT', bySearch, forged],
    ['PATCH', path, change, asPatch],
    ['PATCH', path, change, { ...asPatch, ...stale }],
    ['PATCH', bySearch, change, asPatch],
    ['DELETE', path],
    ['DELETE', bySearch],
    ['POST', `/${resourceType}`, forged],
    ['PUT', `/${resourceType}?identifier=${identifier[0]?.system}|8`, claiming('8')],
    ['POST', `/${resourceType}`, forged, { 'if-none-exist': `identifier=${identifier[0]?.system}|9` }],
  ])(
    'is written by its keeper alone: %s %s is answered 403 and says where to change it',
    async (method, to, body, headers) => {
      for (const as of [clinician, patient, program]) {
        const answer = await call(method, to, {
          as,
          ...(headers === undefined ? {} : { headers }),
          ...(body === undefined ? {} : { body }),
        })
        expect([answer.status, answer.text]).toEqual([403, expect.stringContaining(where[resourceType])])
      }
      expect((await call('GET', path)).body.meta.versionId).toBe('1')
    },
  )

  it.each(['batch', 'transaction'])('nor in a %s', async (type) => {
    const data = btoa(JSON.stringify(change))
    const entries = [
      { resource: copy, request: { method: 'PUT', url: path.slice(1) } },
      {
        resource: { resourceType: 'Binary', contentType: 'application/json-patch+json', data },
        request: { method: 'PATCH', url: path.slice(1) },
      },
      { request: { method: 'DELETE', url: path.slice(1) } },
      { request: { method: 'DELETE', url: bySearch.slice(1) } },
      { resource: forged, request: { method: 'POST', url: resourceType } },
    ]
    for (const entry of entries) {
      for (const as of [clinician, patient, program]) {
        const answer = await call('POST', '', { as, body: { resourceType: 'Bundle', type, entry: [entry] } })
        const status = type === 'transaction' ? String(answer.status) : answer.body.entry[0]?.response.status
        expect(status).toMatch(/^403/)
      }
    }
    expect((await call('GET', path)).body.meta.versionId).toBe('1')
  })

  it('is not made before its time: its id is free for nobody', async () => {
    const early = `${id.slice(0, -1)}99`
    const answer = await call('PUT', `/${resourceType}/${early}`, {
      as: clinician,
      body: { ...content, resourceType, id: early },
    })
    expect(answer.status).toBe(403)
  })

  it('is not written by the other service, nor by who bears its name and is a person', async () => {
    const other = resourceType === 'Consent' ? keepers.Task : { ...keepers.Consent, scope: 'system/*.cruds' }
    expect((await call('PUT', path, { as: other, body: copy })).status).toBe(403)
    const person = { ...clinician, clientId: keepers[resourceType].clientId }
    expect((await call('PUT', path, { as: person, body: copy })).status).toBe(403)
  })

  it('is written by its keeper in the same process', async () => {
    const { clientId } = keepers[resourceType]
    const ours = fhirUseCases(serviceCaller({ clientId, scope: `system/${resourceType}.cruds` }), world.deps)
    expect((await ours.update(copy, id)).outcome).toBe('updated')
    const theirs = fhirUseCases(serviceCaller({ clientId: 'svc-bridge', scope: 'system/*.cruds' }), world.deps)
    await expect(theirs.update(copy, id)).rejects.toMatchObject({ kind: 'forbidden' })
  })

  it('is not changed by an administrator, who may delete what is left of one', async () => {
    expect((await call('PUT', path, { as: admin, body: copy })).status).toBe(403)
    expect((await call('DELETE', path, { as: admin })).status).toBe(204)
    expect((await call('PUT', path, { as: keepers[resourceType], body: copy })).status).toBe(201)
  })

  it('is told apart from what others keep themselves', async () => {
    const own = { ...content, resourceType, identifier: [{ system: 'urn:hospital', value: '7' }] }
    const made = await call('POST', `/${resourceType}`, { as: clinician, body: own })
    expect(made.status).toBe(201)
    const changed = await call('PUT', `/${resourceType}/${made.body.id}`, {
      as: clinician,
      body: { ...own, id: made.body.id },
    })
    expect(changed.status).toBe(200)
    const claimed = { ...forged, id: made.body.id }
    expect((await call('PUT', `/${resourceType}/${made.body.id}`, { as: clinician, body: claimed })).status).toBe(403)
    expect((await call('DELETE', `/${resourceType}/${made.body.id}`, { as: clinician })).status).toBe(204)
  })

  function claiming(value: string): object {
    return { ...forged, identifier: identifier.map(({ system }) => ({ system, value })) }
  }
})

describe('whether it is a copy', () => {
  const service = (name: string) => ({ clientId: `svc-${name}`, url: `http://${name}.test` })
  const kept = keptCopies({ consent: service('consent'), referral: service('referral') })
  const writer = serviceCaller({ clientId: 'somebody', scope: 'system/*.cruds' })

  it.each([
    ['Consent', 'consent-7 demo-policy-1 demo-opt-out-amina', 'consent- consent-7a my-consent-7 x-demo-policy-1 7'],
    [
      'ServiceRequest',
      'corridor-referral-7',
      'corridor-referral- corridor-referral-7a a-corridor-referral-7 consent-7',
    ],
    ['Task', 'corridor-referral-task-7', 'corridor-referral-task-7a a-corridor-referral-task-7 corridor-referral-7'],
    ['Observation', '', 'consent-7 corridor-referral-7'],
  ])('is told of a %s by its whole id: %s, and not %s', (type, taken, free) => {
    const refusalOf = (id: string) => refusalOfCopy({ type, id, resource: {} }, writer, kept)
    for (const id of taken.split(' ').filter((one) => one !== ''))
      expect([id, refusalOf(id)]).toMatchObject([id, { kind: 'forbidden', code: 'KEPT_ELSEWHERE' }])
    expect(free.split(' ').filter((id) => refusalOf(id) !== undefined)).toEqual([])
  })

  it('is told by any of its identifiers, and by none that it has not', () => {
    const identifier = ['urn:hospital', 'urn:corridor:consent:record'].map((system) => ({ system, value: '7' }))
    const refusalOf = (resource: object) => refusalOfCopy({ type: 'Consent', id: 'x', resource }, writer, kept)
    expect(refusalOf({ identifier })).toMatchObject({ code: 'KEPT_ELSEWHERE' })
    expect([refusalOf({ identifier: [] }), refusalOf({})]).toEqual([undefined, undefined])
  })

  it('matters to whoever speaks for a patient in the name of its keeper', () => {
    const keeper = serviceCaller({ clientId: 'svc-consent', scope: 'system/*.cruds' })
    const write = { type: 'Consent', id: 'consent-7', resource: {} }
    expect(refusalOfCopy(write, keeper, kept)).toBeUndefined()
    for (const person of [{ patient: 'amina' }, { fhirUser: 'Patient/amina' }])
      expect(refusalOfCopy(write, { ...keeper, ...person }, kept)).toMatchObject({ kind: 'forbidden' })
  })
})

interface Copy {
  readonly resourceType: CopiedType
  readonly id: string
  readonly identifier: readonly { readonly system: string; readonly value: string }[]
  readonly [element: string]: unknown
}
