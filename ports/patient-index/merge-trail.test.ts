import { describe, expect, it } from 'vitest'
import type { Patient } from '../../packages/fhir/r4.ts'
import { lastSurvivor, mergeTrail } from './merge-trail.ts'

const patient = (id: string, into?: string): Patient => ({
  ...{ resourceType: 'Patient', id },
  ...(into === undefined ? {} : { link: [{ type: 'replaced-by', other: { reference: `Patient/${into}` } }] }),
})

/** `a>b` was merged into the next; who has no arrow stands. */
async function trailOf(...said: readonly string[]) {
  const all = said.map((one) => patient(...(one.split('>') as [string, string?])))
  const [first = patient('nobody')] = all
  const trail = await mergeTrail(first, async (wanted) => all.find(({ id }) => id === wanted))
  return { ...trail, survivors: trail.survivors.map(({ id }) => id), last: lastSurvivor(trail)?.id }
}

const manyMerged = (count: number) => Array.from({ length: count }, (_, at) => `p${at}>p${at + 1}`)

describe('the merges of a record', () => {
  it.each<[string, readonly string[], object]>([
    ['lead nowhere from one that stands', ['a'], { survivors: [], end: 'stands', last: undefined }],
    ['lead to the survivor', ['a>b', 'b'], { survivors: ['b'], end: 'stands', last: 'b' }],
    ['lead through every merge since', ['a>b', 'b>c', 'c'], { survivors: ['b', 'c'], end: 'stands', last: 'c' }],
    ['end where a record is not there', ['a>b', 'b>c'], { survivors: ['b'], end: 'absent', last: undefined }],
    ['have no end in a circle', ['a>b', 'b>a'], { end: 'circle', last: undefined }],
    ['have none in a circle that they come to', ['a>b', 'b>c', 'c>b'], { end: 'circle', last: undefined }],
    ['have none in themselves', ['a>a'], { end: 'circle', last: undefined }],
    ['are followed eight times', [...manyMerged(8), 'p8'], { end: 'stands', last: 'p8' }],
    ['are not followed for ever', [...manyMerged(9), 'p9'], { end: 'circle', last: undefined }],
  ])('%s', async (_what, said, expected) => {
    expect(await trailOf(...said)).toMatchObject(expected)
  })
})
