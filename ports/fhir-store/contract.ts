import { describe, expect, it } from 'vitest'
import type { Fault } from '../../packages/faults/fault.ts'
import { parseJson } from '../../packages/fhir/parse-json.ts'
import type { Bundle, Observation, Patient } from '../../packages/fhir/r4.ts'
import type { FhirStore } from './fhir-store.ts'

/** A FHIR server that the port under test reaches as somebody who may do everything. */
export interface FhirStoreWorld {
  readonly store: FhirStore
  /** The same server for somebody who may only read. */
  readonly reader: FhirStore
}

/** What holds for every implementation that reaches a FHIR server. */
export function fhirStoreContract(name: string, world: () => FhirStoreWorld): void {
  let used = 0
  const fresh = () => `${name}-${++used}`.replaceAll(/[^A-Za-z0-9-]/g, '-')
  const patient = (value: string): Patient => ({
    resourceType: 'Patient',
    identifier: [{ system: 'urn:port', value }],
  })
  const criteria = (value: string) => ({ identifier: `urn:port|${value}` })
  const refusal = (work: Promise<unknown>): Promise<Partial<Fault>> =>
    work.then(
      () => ({ message: 'nothing was refused' }),
      (thrown: unknown) => thrown as Fault,
    )

  describe(`${name} FHIR store port`, () => {
    it('creates, reads, updates and removes', async () => {
      const { store } = world()
      const created = await store.create<Patient>({ ...patient(fresh()), active: true })
      expect(created.meta?.versionId).toBe('1')
      const id = created.id ?? ''
      expect(await store.read<Patient>('Patient', id)).toEqual(created)
      const changed = await store.update<Patient>({ ...created, id, active: false })
      expect(changed).toMatchObject({ outcome: 'updated', resource: { id, active: false, meta: { versionId: '2' } } })
      await store.remove('Patient', id)
      expect(await store.read('Patient', id)).toBeUndefined()
      await store.remove('Patient', id)
      expect(await store.read('Patient', 'never-there')).toBeUndefined()
    })

    it('creates under an id of the caller’s', async () => {
      const id = fresh()
      const made = await world().store.update<Patient>({ ...patient(id), id })
      expect(made).toMatchObject({ outcome: 'created', resource: { id } })
    })

    it('updates what the criteria find, creates where there is nothing, and sends no id', async () => {
      const { store } = world()
      const value = fresh()
      const first = await store.updateMatching<Patient>({ ...patient(value), id: 'not-mine' }, criteria(value))
      expect(first.outcome).toBe('created')
      expect(first.resource.id).not.toBe('not-mine')
      const second = await store.updateMatching<Patient>({ ...patient(value), gender: 'male' }, criteria(value))
      expect(second).toMatchObject({ outcome: 'updated', resource: { id: first.resource.id, gender: 'male' } })
    })

    it('creates unless there is one', async () => {
      const { store } = world()
      const value = fresh()
      const first = await store.createUnlessFound<Patient>(patient(value), criteria(value))
      const second = await store.createUnlessFound<Patient>(patient(value), criteria(value))
      expect([first.outcome, second.outcome]).toEqual(['created', 'kept'])
      expect(second.resource).toEqual(first.resource)
    })

    it('creates what must be new, and leaves alone what is there', async () => {
      const { store } = world()
      const value = fresh()
      const make = (rest: Partial<Patient>) =>
        store.updateMatching<Patient>({ ...patient(value), ...rest }, criteria(value), { mustBeNew: true })
      const first = await make({ gender: 'male' })
      expect(first.outcome).toBe('created')
      const late = await refusal(make({ gender: 'female' }))
      expect(late.kind).toBe('conflict')
      expect(late.code).not.toBe('MULTIPLE_MATCHES')
      expect(await store.search<Patient>('Patient', criteria(value))).toEqual([first.resource])
    })

    it.each([
      ['PUT with ifNoneMatch', { method: 'PUT', ifNoneMatch: '*' }, 'conflict'],
      ['POST with ifNoneExist', { method: 'POST' }, '200 OK'],
    ] as const)('leaves alone what a transaction finds instead of nothing: %s', async (_what, request, end) => {
      const { store } = world()
      const value = fresh()
      const { resource } = await store.updateMatching<Patient>(patient(value), criteria(value))
      const condition = `identifier=urn:port|${value}`
      const entry = {
        resource: { ...patient(value), gender: 'male' as const },
        request:
          request.method === 'PUT'
            ? { ...request, url: `Patient?${condition}` }
            : { ...request, url: 'Patient', ifNoneExist: condition },
      }
      const ended = await store.transaction({ resourceType: 'Bundle', type: 'transaction', entry: [entry] }).then(
        ({ entry: [answer] = [] }) => answer?.response?.status,
        ({ kind }: Fault) => kind,
      )
      expect(ended).toBe(end)
      expect(await store.search<Patient>('Patient', criteria(value))).toEqual([resource])
    })

    it('refuses criteria that find several, and says so apart from other conflicts', async () => {
      const { store } = world()
      const value = fresh()
      await store.create(patient(value))
      await store.create(patient(value))
      const many = await refusal(store.updateMatching(patient(value), criteria(value)))
      expect(many).toMatchObject({ kind: 'conflict', code: 'MULTIPLE_MATCHES' })
      const id = fresh()
      await store.update({ ...patient(id), id })
      const stale = await refusal(store.update({ ...patient(id), id }, { version: '9' }))
      expect(stale).toMatchObject({ kind: 'conflict', code: 'PRECONDITION_FAILED' })
      const staleMatch = await refusal(store.updateMatching(patient(id), criteria(id), { version: '9' }))
      expect(staleMatch).toMatchObject({ kind: 'conflict', code: 'PRECONDITION_FAILED' })
      const manyOfVersion = await refusal(store.updateMatching(patient(value), criteria(value), { version: '1' }))
      expect(manyOfVersion).toMatchObject({ kind: 'conflict', code: 'MULTIPLE_MATCHES' })
    })

    it('tells in a transaction, too, whether somebody else was quicker or criteria find several', async () => {
      const { store } = world()
      const [id, several] = [fresh(), fresh()]
      await store.update({ ...patient(id), id })
      await store.create(patient(several))
      await store.create(patient(several))
      const sent = (value: string, url: string, rest: object = {}) =>
        store.transaction({
          resourceType: 'Bundle',
          type: 'transaction',
          entry: [
            { resource: { ...patient(id), id }, request: { method: 'PUT', url: `Patient/${id}`, ifMatch: 'W/"1"' } },
            { resource: { ...patient(value), ...rest }, request: { method: 'PUT', url, ifMatch: 'W/"9"' } },
          ],
        })
      const other = fresh()
      await store.update({ ...patient(other), id: other })
      const overtaken = await refusal(sent(other, `Patient/${other}`, { id: other }))
      expect(overtaken).toMatchObject({ kind: 'conflict', code: 'PRECONDITION_FAILED' })
      const many = await refusal(sent(several, `Patient?identifier=urn:port|${several}`))
      expect(many).toMatchObject({ kind: 'conflict', code: 'MULTIPLE_MATCHES' })
    })

    it('searches, and gives matches without what was included', async () => {
      const { store } = world()
      const value = fresh()
      const { resource } = await store.updateMatching<Patient>(patient(value), criteria(value))
      const observation: Observation = {
        resourceType: 'Observation',
        status: 'final',
        code: { text: 'x' },
        subject: { reference: `Patient/${resource.id}` },
      }
      await store.create(observation)
      const question = { subject: `Patient/${resource.id}`, _include: 'Observation:subject', status: ['final'] }
      const found = await store.search<Observation>('Observation', question)
      expect(found.map(({ resourceType }) => resourceType)).toEqual(['Observation'])
      const bundle = await store.searchBundle('Observation', question)
      expect(bundle.entry?.map((entry) => entry.search?.mode)).toEqual(['match', 'include'])
      expect(await store.search('Patient', criteria('nobody'))).toEqual([])
    })

    it('searches all pages, and gives each match once in the order of the search', async () => {
      const { store } = world()
      const value = fresh()
      for (const family of ['Cole', 'Adams', 'Evans', 'Baker', 'Diaz']) {
        await store.create<Patient>({ ...patient(value), name: [{ family }] })
      }
      const question = { ...criteria(value), _sort: 'family', _count: '2' }
      const familiesOf = (found: readonly Patient[]) => found.map((each) => each.name?.[0]?.family)
      expect(familiesOf(await store.search<Patient>('Patient', question))).toEqual(['Adams', 'Baker'])
      const all = await store.searchAll<Patient>('Patient', question)
      expect(familiesOf(all)).toEqual(['Adams', 'Baker', 'Cole', 'Diaz', 'Evans'])
      expect(await store.searchAll('Patient', criteria('nobody'))).toEqual([])
    })

    it('finds many by their identifiers, in the order asked', async () => {
      const { store, reader } = world()
      const [one, twice, odd] = [fresh(), fresh(), `${fresh()},$|`]
      const identified = (value: string, type = 'Patient') => ({ type, system: 'urn:port', value })
      const first = await store.create<Patient>(patient(one))
      const changed = await store.update<Patient>({ ...first, id: first.id ?? '', active: true })
      await store.create(patient(twice))
      await store.create(patient(twice))
      await store.create(patient(odd))
      const asked = [identified('nobody'), identified(one), identified(one, 'Practitioner'), identified(odd)]
      const found = await reader.findByIdentifiers<Patient>([
        ...asked,
        identified(twice),
        { type: 'Patient', value: one },
      ])
      expect(found.map(({ length }) => length)).toEqual([0, 1, 0, 1, 2, 1])
      expect(found[1]).toEqual([changed.resource])
      expect(found[1]?.[0]?.meta?.versionId).toBe('2')
      expect(await store.findByIdentifiers([{ type: 'Patient', system: '', value: one }])).toEqual([[]])
      expect(await store.findByIdentifiers([])).toEqual([])
      await store.remove('Patient', first.id ?? '')
      expect(await store.findByIdentifiers([identified(one)])).toEqual([[]])
      expect((await refusal(store.findByIdentifiers([identified(one, 'Nonsense')]))).message).not.toBe('')
    })

    it('keeps decimals as they were written', async () => {
      const { store } = world()
      const text = '{"resourceType":"Observation","status":"final","code":{"text":"x"},"valueQuantity":{"value":1.50}}'
      const stored = await store.create(parseJson(text) as Observation)
      expect(JSON.stringify(await store.read('Observation', stored.id ?? ''))).toContain('"value":1.50')
    })

    it('carries out a transaction as a whole or not at all', async () => {
      const { store } = world()
      const [one, other] = [fresh(), fresh()]
      const put = (value: string, resource: object = patient(value)) => ({
        resource: resource as Patient,
        request: { method: 'PUT' as const, url: `Patient?identifier=urn:port|${value}` },
      })
      const transaction = (...entry: NonNullable<Bundle['entry']>): Bundle => ({
        resourceType: 'Bundle',
        type: 'transaction',
        entry,
      })
      const answer = await store.transaction(transaction(put(one)))
      expect(answer.entry?.map(({ response }) => response?.status)).toEqual(['201 Created'])
      const wrong = { resourceType: 'Patient', gender: 'M' }
      const refused = await refusal(store.transaction(transaction(put(other), put(one, wrong))))
      expect(refused.kind).toBe('unprocessable')
      expect(await store.search('Patient', criteria(other))).toEqual([])
    })

    it('tells what will never be taken from what may be tried again', async () => {
      const { store, reader } = world()
      const wrong = { ...patient(fresh()), gender: 'M' } as unknown as Patient
      expect((await refusal(store.create(wrong))).kind).toBe('unprocessable')
      expect((await refusal(reader.create(patient(fresh())))).kind).toBe('forbidden')
      expect((await refusal(reader.updateMatching(patient('x'), criteria('x')))).kind).toBe('forbidden')
    })

    it('says what the server can do', async () => {
      const { transaction, batch, conditionalUpdate } = await world().store.capabilities()
      expect([transaction, batch, conditionalUpdate('Patient'), conditionalUpdate('Nonsense')]).toEqual([
        true,
        true,
        true,
        expect.any(Boolean),
      ])
    })
  })
}
