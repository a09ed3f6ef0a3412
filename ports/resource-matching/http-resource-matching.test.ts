import { describe, expect, it } from 'vitest'
import type { Bundle, BundleEntry } from '../../packages/fhir/r4.ts'
import type { SearchParameters } from '../fhir-store/fhir-store.ts'
import { searchAll } from '../fhir-store/search-all.ts'
import { unavailableFhirStore } from '../fhir-store/unavailable-fhir-store.ts'
import { httpResourceMatching } from './http-resource-matching.ts'

const patient = (id: string) => ({ resourceType: 'Patient', id })
const found = (id: string): BundleEntry => ({ response: { status: '200 OK' }, resource: patient(id) })
const answered = (status: string): BundleEntry => ({ response: { status } })

describe('versions that are read in a batch', () => {
  const read = (...entry: BundleEntry[]) => {
    const answer: Bundle = { resourceType: 'Bundle', type: 'batch-response', entry }
    const matching = httpResourceMatching({ ...unavailableFhirStore, transaction: async () => answer })
    return matching.readVersions(['a', 'b'].map((id) => ({ type: 'Patient', id, version: '1' })))
  }

  it.each(['404 Not Found', '410', '410 Gone'])('are not there where the server says so: %s', async (status) => {
    expect(await read(found('a'), answered(status))).toEqual([patient('a'), undefined])
  })

  it.each([
    ['429 Too Many Requests', 'too-much'],
    ['500', 'unavailable'],
    ['503 Service Unavailable', 'unavailable'],
    ['403 Forbidden', 'forbidden'],
    ['400', 'incorrect'],
    ['', 'unavailable'],
  ])('are not taken for deleted where one is answered %j', async (status, kind) => {
    await expect(read(found('a'), answered(status))).rejects.toMatchObject({ kind })
  })

  it.each([
    ['no entry', []],
    ['fewer entries than were asked for', [found('a')]],
    ['more entries than were asked for', [found('a'), found('b'), found('c')]],
    ['an entry without resource', [found('a'), answered('200 OK')]],
  ])('are not taken for deleted in an answer with %s', async (_, entry) => {
    await expect(read(...entry)).rejects.toMatchObject({ kind: 'unavailable', code: 'BAD_GATEWAY' })
  })
})

describe('criteria that are searched by', () => {
  /** Two a page, however many are asked for. */
  async function searchBundle(type: string, parameters: SearchParameters): Promise<Bundle> {
    const from = Number(parameters['from'] ?? 0)
    const ids = String(parameters['_id']).split(',')
    const next = new URLSearchParams({ _id: ids.join(','), from: String(from + 2) })
    return {
      ...{ resourceType: 'Bundle', type: 'searchset' },
      link: from + 2 < ids.length ? [{ relation: 'next', url: `https://other.example/r4/${type}?${next}` }] : [],
      entry: ids.slice(from, from + 2).map((id) => ({ resource: patient(id) })),
    }
  }

  it('find a resource on whichever page it is', async () => {
    const matching = httpResourceMatching({
      ...unavailableFhirStore,
      searchBundle,
      // Sound: what it finds are patients, and its pages are searches.
      searchAll: async <T>(type: string, parameters: SearchParameters) =>
        (await searchAll(type, parameters, (wanted) => searchBundle(type, wanted as SearchParameters))) as T[],
    })
    const resources = ['a', 'b', 'c', 'd', 'e'].map(patient)
    expect(await matching.matches({ type: 'Patient', query: 'active=true' }, resources)).toEqual(
      resources.map(() => true),
    )
  })
})
