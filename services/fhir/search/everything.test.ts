import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AccessConditions } from '../scopes/access.ts'
import { namesOf, queryOfLink, searchWorld, base, type SearchWorld } from './testing/search-world.ts'
import { ward } from './testing/ward.ts'

describe('a compartment', () => {
  let world: SearchWorld
  beforeAll(async () => {
    world = await searchWorld()
    await world.put(...ward)
  })
  afterAll(() => world[Symbol.asyncDispose]())

  it.each([
    ['Patient', 'amina', 'Observation', ['Observation/glucose', 'Observation/pressure']],
    ['Patient', 'amina', 'Observation?code=2339-0', ['Observation/glucose']],
    ['Patient', 'kofi', 'Observation', ['Observation/smoking']],
    ['Patient', 'nobody', 'Observation', []],
    [
      'Patient',
      'amina',
      '',
      ['Encounter/stay', 'Observation/glucose', 'Observation/pressure', 'Patient/amina', 'RiskAssessment/high'],
    ],
    ['Patient', 'amina', '?_type=Encounter,Patient', ['Encounter/stay', 'Patient/amina']],
    ['Encounter', 'stay', 'Observation', ['Observation/glucose']],
    ['Encounter', 'stay', '', ['Encounter/stay', 'Observation/glucose']],
    ['Practitioner', 'amara', 'Patient', ['Patient/amina']],
  ])('of %s/%s holds %s', async (type, id, search, expected) => {
    expect(await world.find(search, { compartment: { type, id } })).toEqual(expected)
  })

  it('that is none, or has no such resources, is not found', async () => {
    const compartment = { type: 'Patient', id: 'amina' }
    await expect(world.page('Organization', { compartment })).rejects.toMatchObject({ kind: 'missing' })
    await expect(world.page('Observation', { compartment: { type: 'Organization', id: '1' } })).rejects.toMatchObject({
      kind: 'missing',
    })
  })

  it('is paged under its own address', async () => {
    const page = await world.page('Observation?_count=1', { compartment: { type: 'Patient', id: 'amina' } })
    expect(page.links.find(({ relation }) => relation === 'next')?.url).toMatch(
      `${base}/Patient/amina/Observation?_count=1`,
    )
  })
})

describe('$everything', () => {
  let world: SearchWorld
  beforeAll(async () => {
    world = await searchWorld()
    await world.put(...ward)
    world.clock.jump(86_400_000)
    await world.put({
      resourceType: 'Condition',
      id: 'later',
      subject: { reference: 'Patient/amina' },
      asserter: { reference: 'Practitioner/amara' },
    })
  })
  afterAll(() => world[Symbol.asyncDispose]())

  const of = (query: string) => world.page(`?${query}`, { everythingOf: 'amina' })
  const compartment = [
    'Condition/later',
    'Encounter/stay',
    'Observation/glucose',
    'Observation/pressure',
    'Patient/amina',
    'RiskAssessment/high',
  ]

  it('is the compartment, and what it refers to outside of compartments', async () => {
    const page = await of('')
    expect(namesOf(page, 'match')).toEqual(compartment)
    expect(namesOf(page, 'include')).toEqual(['Organization/central', 'Practitioner/amara'])
  })

  it.each([
    ['_type=Observation,Patient', ['Observation/glucose', 'Observation/pressure', 'Patient/amina']],
    ['_since=2024-06-02', ['Condition/later']],
    ['_since=2024-06-02T02:00:00+02:00', ['Condition/later']],
    // Without a date of care: always there.
    ['start=2024-05-02', ['Condition/later', 'Observation/pressure', 'Patient/amina', 'RiskAssessment/high']],
    ['end=2024-03-01', ['Condition/later', 'Encounter/stay', 'Patient/amina', 'RiskAssessment/high']],
    ['start=2024-05-01&end=2024-05-01&_type=Observation', ['Observation/glucose']],
  ])('with %s holds only that', async (query, expected) => {
    expect(namesOf(await of(query), 'match')).toEqual(expected)
  })

  it.each(['_count=0', '_count=0&_summary=true', '_count=0&_elements=name'])('with %s is counted', async (query) => {
    expect(await of(query)).toMatchObject({ entries: [], total: compartment.length })
  })

  it('comes in pages that together are the whole', async () => {
    const seen: string[] = []
    for (let query: string | undefined = '_count=2'; query !== undefined;) {
      const page = await of(query)
      seen.push(...namesOf(page, 'match'))
      query = queryOfLink(page, 'next')
    }
    expect(seen.sort()).toEqual(compartment)
  })

  describe('with what the access log says of the patient', () => {
    const seenAt = (id: string, recorded: string) => ({
      ...{ resourceType: 'AuditEvent', id, recorded },
      entity: [{ what: { reference: 'Patient/amina' } }],
    })
    const log = ['AuditEvent/seen-1', 'AuditEvent/seen-2', 'AuditEvent/seen-3']
    let own: SearchWorld
    beforeAll(async () => {
      own = await searchWorld()
      await own.put(...ward, ...[1, 2, 3].map((n) => seenAt(`seen-${n}`, `2024-06-0${n}T10:00:00Z`)))
    })
    afterAll(() => own[Symbol.asyncDispose]())
    const inOrder = ({ entries }: Awaited<ReturnType<SearchWorld['page']>>) =>
      entries.filter(({ mode }) => mode === 'match').map(({ type, id }) => `${type}/${id}`)

    it.each([1, 2, 3, 50])('begins with the patient and ends with the log, %d a page, both ways', async (count) => {
      const pages: string[][] = []
      let last = ''
      for (let query: string | undefined = `_count=${count}`; query !== undefined;) {
        const page = await own.page(`?${query}`, { everythingOf: 'amina' })
        pages.push(inOrder(page))
        last = query
        query = queryOfLink(page, 'next')
      }
      const seen = pages.flat()
      expect(seen[0]).toBe('Patient/amina')
      expect(seen.slice(-3).sort()).toEqual(log)
      expect(seen.toSorted()).toEqual([...log, ...compartment.filter((name) => name !== 'Condition/later')].toSorted())
      const back: string[][] = []
      for (let query: string | undefined = last; query !== undefined;) {
        const page = await own.page(`?${query}`, { everythingOf: 'amina' })
        back.unshift(inOrder(page))
        query = queryOfLink(page, 'previous')
      }
      expect(back.flat().slice(-seen.length)).toEqual(seen)
    })

    it('holds of the log what is of the asked time, and sorts as it is told', async () => {
      const shown = async (query: string) => inOrder(await own.page(`?${query}`, { everythingOf: 'amina' }))
      expect(await shown('end=2019-01-01&_type=AuditEvent')).toEqual([])
      expect(await shown('start=2024-06-02&_type=AuditEvent,Patient')).toEqual([
        'Patient/amina',
        ...(await shown('start=2024-06-02&_type=AuditEvent')),
      ])
      expect((await shown('_type=AuditEvent,Patient&_sort=-_id'))[0]).toBe('AuditEvent/seen-3')
      expect(await shown('_type=AuditEvent,Patient&_sort=-_id&_count=1')).toEqual(['AuditEvent/seen-3'])
    })

    it('is not found where the log is all that there is of the patient, but for who may see no patients', async () => {
      await own.put({ ...seenAt('asked', '2024-06-04T10:00:00Z'), entity: [{ what: { reference: 'Patient/nobody' } }] })
      for (const query of ['', '?_count=1', '?_sort=_id']) {
        await expect(own.page(query, { everythingOf: 'nobody' })).rejects.toMatchObject({ kind: 'missing' })
      }
      const access: AccessConditions = { of: (type) => (type === 'Patient' ? 'none' : 'unrestricted') }
      expect(inOrder(await own.page('', { everythingOf: 'nobody', access }))).toEqual(['AuditEvent/asked'])
    })
  })

  it.each([
    ['_type=Colour', 'does not exist'],
    ['_type=Organization', 'at least one type'],
    ['_since=yesterday', 'needs a date'],
    ['start=never', 'needs a date'],
    ['colour=red', 'not known for $everything'],
  ])('refuses %s', async (query, message) => {
    await expect(of(query)).rejects.toThrow(message)
  })

  it('of a patient who is not there, or may not be seen, is not found', async () => {
    const notFound = { kind: 'missing' }
    await expect(world.page('', { everythingOf: 'nobody' })).rejects.toMatchObject(notFound)
    const access = { of: () => [{ patient: 'kofi' }] }
    await expect(world.page('', { everythingOf: 'amina', access })).rejects.toMatchObject(notFound)
    await expect(world.page('?_since=2030', { everythingOf: 'amina' })).resolves.toMatchObject({ entries: [] })
  })

  it('warns of what it does not know when lenient', async () => {
    const page = await world.page('?colour=red', { everythingOf: 'amina', isStrict: false })
    expect(page.warnings).toEqual(['The parameter colour is not known for $everything. It was ignored.'])
  })
})
