import { describe, expect, it } from 'vitest'
import type { Bundle, BundleEntry } from '../../../packages/fhir/r4.ts'
import { writtenVersions } from './written-versions.ts'

const written = ['1', '2'].map((id) => ({
  ...{ reference: `Patient/${id}`, type: 'Patient', versionId: '1' },
  operation: 'create' as const,
}))
const found: BundleEntry = { resource: { resourceType: 'Patient', id: '1' }, response: { status: '200 OK' } }

/** What is shown of two versions where the store has the first and answers for the second as said. */
const shownWith = (status: string): Promise<Bundle> =>
  writtenVersions(written, {
    transaction: async () => ({
      ...{ resourceType: 'Bundle', type: 'batch-response' },
      entry: [found, { response: { status } }],
    }),
  })

describe('the versions that a message wrote', () => {
  it.each(['404 Not Found', '410 Gone'])('are shown without one that the store no longer has: %s', async (status) => {
    expect((await shownWith(status)).entry).toEqual([{ resource: found.resource }])
  })

  it.each([
    ['503 Service Unavailable', 'unavailable'],
    ['500 Internal Server Error', 'unavailable'],
    ['429 Too Many Requests', 'too-much'],
  ])('are not shown where the store could not give all of them: %s', async (status, kind) => {
    await expect(shownWith(status)).rejects.toMatchObject({ kind })
  })
})
