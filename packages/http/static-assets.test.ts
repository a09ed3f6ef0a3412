import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { get } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { staticAssets } from './static-assets.ts'
import { testServer, type TestServer } from './testing/test-server.ts'

const css = 'body { color: black }\n'.repeat(100)
const assets = staticAssets(
  [
    { name: 'site.css', content: Buffer.from(css), contentType: 'text/css; charset=utf-8' },
    { name: 'inter.woff2', content: Buffer.from([1, 2, 3]), contentType: 'font/woff2' },
  ],
  'v1abc',
)

let server: TestServer
beforeAll(async () => {
  server = await testServer(assets.routes)
})
afterAll(() => server.close())

/** Not fetch, which unpacks what it gets. */
function fetchRaw(path: string, headers: Record<string, string>) {
  return new Promise<{ status: number | undefined; headers: NodeJS.Dict<string | string[]>; body: Buffer }>(
    (resolve) => {
      get(server.url + path, { headers }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () =>
          resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) }),
        )
      })
    },
  )
}

describe('an asset', () => {
  it.each([
    ['br, gzip', 'br', brotliDecompressSync],
    ['gzip, deflate', 'gzip', gunzipSync],
    ['br;q=0, gzip;q=0.5', 'gzip', gunzipSync],
    ['identity', undefined, (body: Buffer) => body],
  ])('is sent to whoever accepts %s as %s', async (accepted, encoding, unpack) => {
    const answer = await fetchRaw(assets.urlOf('site.css'), { 'accept-encoding': accepted })
    expect(answer.headers).toMatchObject({
      'content-type': 'text/css; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'Accept-Encoding',
    })
    expect(answer.headers['content-encoding']).toBe(encoding)
    expect(unpack(answer.body).toString()).toBe(css)
  })

  it('is not packed twice and not sent again to who has it', async () => {
    const answer = await fetchRaw(assets.urlOf('inter.woff2'), { 'accept-encoding': 'br' })
    expect(answer.headers['content-encoding']).toBeUndefined()
    expect([...answer.body]).toEqual([1, 2, 3])
    const again = await fetchRaw(assets.urlOf('inter.woff2'), { 'if-none-match': String(answer.headers['etag']) })
    expect(again.status).toBe(304)
    expect(again.body).toHaveLength(0)
  })

  it.each(['/assets/v1abc/other.css', '/assets/v0/site.css', '/assets/v1abc/..%2fsite.css', '/assets/v1abc/toString'])(
    'is not found at %s',
    async (path) => {
      expect((await fetchRaw(path, {})).status).toBe(404)
    },
  )

  it('has an address only when it exists', () => {
    expect(assets.urlOf('site.css')).toBe('/assets/v1abc/site.css')
    expect(() => assets.urlOf('other.css')).toThrow('there is no asset named other.css')
  })
})
