import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { foreign, secret } from './records.ts'
import { readings } from './readings.ts'
import { confined, type TokenName } from './tokens.ts'
import { ask, twoWorlds, type Request, type Seen, type TwoWorlds } from './two-worlds.ts'
import { writings } from './writings.ts'

let worlds: TwoWorlds
beforeAll(async () => {
  worlds = await twoWorlds()
})
afterAll(() => worlds[Symbol.asyncDispose]())

describe('reading', () => {
  for (const [way, requests] of Object.entries(readings)) {
    describe(`by ${way}`, () => {
      it.each(confined)('shows nothing of another patient to a token with: %s', async (token) => {
        const leaks = await Promise.all(requests.map((request) => leakOf(request, token)))
        expect(leaks.filter((leak) => leak !== undefined)).toEqual([])
      })
    })
  }

  it.each(Object.entries(readings))('by %s shows the other patient to a program', async (_way, requests) => {
    for (const request of requests) expect(await leakOf(request, 'program')).toMatchObject({ request })
  })
})

describe('a page of somebody else', () => {
  let pages: string[]
  beforeAll(async () => {
    const first = ['/Observation?_sort=date&_count=1', '/Observation?_count=2', '/_history?_count=10']
    pages = (await Promise.all(first.map(pagesOf))).flat()
  })

  it('is there to be asked for, by search and by history', () => {
    expect(pages.filter((path) => path.startsWith('/Observation?')).length).toBeGreaterThan(1)
    expect(pages.some((path) => path.startsWith('/_history?'))).toBe(true)
  })

  it.each(confined)('shows nothing to a token with: %s', async (token) => {
    for (const path of pages) expect(await leakOf({ method: 'GET', path }, token)).toBeUndefined()
  })
})

describe('writing', () => {
  for (const [way, requests] of Object.entries(writings)) {
    describe(`by ${way}`, () => {
      it.each(confined)('tells nothing of another patient to a token with: %s', async (token) => {
        for (const request of requests) expect(await leakOf(request, token)).toBeUndefined()
      })
    })
  }

  it('has changed nothing of the other patient', async () => {
    for (const { resourceType, id } of foreign.filter((each) => each.resourceType !== 'AuditEvent')) {
      const request = { method: 'GET', path: `/${resourceType}/${id}` } as const
      const { status, headers } = await ask(worlds.together, request, 'program')
      expect({ id, status, version: headers['etag'] }).toEqual({ id, status: 200, version: 'W/"1"' })
    }
  })
})

/** What tells the two worlds apart, or shows the secret; undefined if nothing does. */
async function leakOf(request: Request, token: TokenName): Promise<object | undefined> {
  const [together, alone] = await Promise.all([ask(worlds.together, request, token), ask(worlds.alone, request, token)])
  expect(together.status).toBeLessThan(500)
  const isSame = isDeepStrictEqual(together, alone)
  // What the caller sent may come back.
  const showsSecret = JSON.stringify(together).includes(secret) && !JSON.stringify(request).includes(secret)
  return isSame && !showsSecret ? undefined : { request, together, alone }
}

/** The addresses of all further pages, as a program is given them. */
async function pagesOf(path: string): Promise<string[]> {
  const pages: string[] = []
  for (let next: string | undefined = path; next !== undefined;) {
    const seen: Seen = await ask(worlds.together, { method: 'GET', path: next }, 'program')
    const { link = [] } = JSON.parse(seen.text) as { link?: { relation: string; url: string }[] }
    next = link.find(({ relation }) => relation === 'next')?.url.slice('{base}'.length)
    if (next !== undefined) pages.push(next)
  }
  return pages
}
