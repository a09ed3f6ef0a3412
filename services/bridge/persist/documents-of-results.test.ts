import { describe, expect, it } from 'vitest'
import type { Observation } from '../../../packages/fhir/r4.ts'
import type { FhirStore } from '../../../ports/fhir-store/fhir-store.ts'
import type { Write } from '../mapping/mapped.ts'
import { withDocuments } from './documents-of-results.ts'
import type { FindDeps } from './find-deps.ts'
import type { StoredResource } from './stored.ts'

const result = { resourceType: 'Observation', status: 'final', code: { text: 'Report' } } as const satisfies Observation

const told: Write = {
  ...{ fullUrl: 'urn:uuid:result', resource: result, mode: 'upsert', defaults: {}, deletes: [], removes: [] },
  key: { parameter: 'identifier', system: 'urn:lab', value: '1' },
}

const stored = new Map<string, StoredResource>([
  ['urn:uuid:result', { ...result, id: 'o1', derivedFrom: [{ reference: 'DocumentReference/d1' }] }],
])

/** Notes which documents are read. */
function storeOf() {
  const read: string[] = []
  const document = { resourceType: 'DocumentReference', id: 'd1', status: 'current', content: [] }
  // Sound: nothing else of the store is called.
  const store = {
    read: async (type: string, id: string) => (read.push(`${type}/${id}`), document),
  } as unknown as FhirStore
  const deps: FindDeps = { store, breakers: { call: (_name, work) => work() } }
  return { read, deps }
}

const statusesOf = async (write: Write) => {
  const { read, deps } = storeOf()
  const { writes } = await withDocuments([write], stored, new AbortController().signal, deps)
  const ends = writes.flatMap(({ resource }) =>
    resource.resourceType === 'DocumentReference' ? [resource.status] : [],
  )
  return { read, ends }
}

describe('the document that a result was', () => {
  it('is superseded where the result has another value, and a mistake where it was taken back', async () => {
    expect(await statusesOf(told)).toEqual({ read: ['DocumentReference/d1'], ends: ['superseded'] })
    const back = { ...told, resource: { ...result, status: 'entered-in-error' as const } }
    expect((await statusesOf(back)).ends).toEqual(['entered-in-error'])
  })

  it('stays where the result only moves with its visit', async () => {
    expect(await statusesOf({ ...told, broughtBy: 'urn:uuid:visit' })).toEqual({ read: [], ends: [] })
  })
})
