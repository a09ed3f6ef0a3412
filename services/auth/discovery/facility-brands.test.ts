import { describe, expect, it } from 'vitest'
import { MovedClock } from '../../../packages/testkit/moved-clock.ts'
import type { Bundle, Organization } from '../../../ports/fhir-store/resources.ts'
import { startTestAuth, type TestAuth } from '../testing/test-auth.tsx'

const facility = (id: string, lastUpdated: string, more: Partial<Organization> = {}): Organization => ({
  ...{ resourceType: 'Organization', id, active: true, name: `Facility ${id}`, meta: { lastUpdated } },
  ...more,
})

const askedUnknown = {
  extension: [{ url: 'http://hl7.org/fhir/StructureDefinition/data-absent-reason', valueCode: 'asked-unknown' }],
}

async function brandsOf(auth: TestAuth, headers: Readonly<Record<string, string>> = {}) {
  const answer = await fetch(`${auth.url}/brands`, { headers })
  const text = await answer.text()
  return {
    status: answer.status,
    etag: answer.headers.get('etag') ?? '',
    bundle: text === '' ? undefined : (JSON.parse(text) as Bundle),
  }
}

const brandIn = (bundle: Bundle | undefined, id: string) =>
  bundle?.entry?.map(({ resource }) => resource).find((resource) => resource?.id === id)

describe('the brand of a facility', () => {
  it('has its name, its other names and its website, and none of its telephones', async () => {
    await using auth = await startTestAuth()
    auth.fhir.stored.push(
      facility('branded', '2026-01-05T09:00:00Z', {
        alias: ['The old hospital'],
        telecom: [
          { system: 'phone', value: '555 0101' },
          { system: 'url', value: 'https://branded.example' },
          { system: 'url', value: 'https://second.example' },
        ],
      }),
    )
    const { bundle } = await brandsOf(auth)
    expect(brandIn(bundle, 'branded')).toMatchObject({
      meta: { lastUpdated: '2026-01-05T09:00:00Z' },
      name: 'Facility branded',
      alias: ['The old hospital'],
      telecom: [{ system: 'url', value: 'https://branded.example' }],
    })
    expect(JSON.stringify(bundle)).not.toMatch(/555|second/)
  })

  it('is there unless the facility is closed, and for no ward or insurer that a message has named', async () => {
    await using auth = await startTestAuth()
    const coded = { identifier: [{ system: 'urn:corridor:facility-code', value: 'F1' }] }
    const { active: _active, ...silent } = facility('silent', '2026-01-05T09:00:00Z', coded)
    const { active: _of, ...named } = facility('insurer', '2026-01-05T09:00:00Z')
    const closed = facility('closed', '2026-01-05T09:00:00Z', { ...coded, active: false })
    auth.fhir.stored.push(silent, closed, named, facility('both', '2026-01-05T09:00:00Z', coded))
    const { bundle } = await brandsOf(auth)
    const ids = bundle?.entry?.map(({ resource }) => resource?.id)
    expect(ids).toEqual(['corridor', 'both', 'central-hospital', 'silent', 'fhir'])
  })

  it('says that its website and its name are not known, where they are not', async () => {
    await using auth = await startTestAuth()
    const { name: _name, ...nameless } = facility('nameless', '2026-01-05T09:00:00Z')
    auth.fhir.stored.push(nameless)
    const { bundle } = await brandsOf(auth)
    expect(brandIn(bundle, 'nameless')).toMatchObject({
      _name: askedUnknown,
      telecom: [{ system: 'url', _value: askedUnknown }],
    })
  })
})

describe('the brand bundle', () => {
  it('has the time of the last change to it and an ETag of its contents, which stay while nothing changes', async () => {
    const clock = new MovedClock()
    await using auth = await startTestAuth({ clock })
    auth.fhir.stored.push(facility('late', '2026-03-05T09:00:00Z'), facility('early', '2026-01-05T09:00:00Z'))
    const first = await brandsOf(auth)
    expect(first.bundle?.timestamp).toBe('2026-03-05T09:00:00.000Z')
    expect(first.etag).toMatch(/^W\/"[\w-]+"$/)

    clock.forward(61)
    expect(await brandsOf(auth)).toEqual(first)
    expect(await brandsOf(auth, { 'if-none-match': first.etag })).toEqual({
      ...{ status: 304, etag: first.etag, bundle: undefined },
    })

    auth.fhir.stored.push(facility('new', '2026-04-05T09:00:00Z'))
    clock.forward(61)
    const grown = await brandsOf(auth, { 'if-none-match': first.etag })
    expect([grown.status, grown.bundle?.timestamp]).toEqual([200, '2026-04-05T09:00:00.000Z'])
    expect(grown.etag).not.toBe(first.etag)
  })

  it('tells of a facility that is gone, though no date of the registry does', async () => {
    const clock = new MovedClock(new Date('2026-11-16T12:00:00Z'))
    await using auth = await startTestAuth({ clock })
    auth.fhir.stored.push(facility('stays', '2026-01-05T09:00:00Z'), facility('goes', '2026-03-05T09:00:00Z'))
    await brandsOf(auth)
    auth.fhir.stored.pop()
    clock.forward(61)
    const shrunk = await brandsOf(auth)
    expect(shrunk.bundle?.timestamp).toBe('2026-11-16T12:01:01.000Z')
    clock.forward(61)
    expect(await brandsOf(auth)).toEqual(shrunk)
  })
})
