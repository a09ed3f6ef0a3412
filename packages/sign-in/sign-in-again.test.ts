import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testServer, type TestServer } from '../http/testing/test-server.ts'
import { signInAgain } from './sign-in-again.tsx'

let server: TestServer
beforeAll(async () => {
  server = await testServer([signInAgain], { deps: { assetUrl: (name) => `/assets/${name}` } })
})
afterAll(() => server?.[Symbol.asyncDispose]())

const send = (fields: readonly [string, string][], to = '/new', headers: Record<string, string> = {}) =>
  fetch(`http://127.0.0.1:${server.port}/sign-in/again?to=${encodeURIComponent(to)}`, {
    method: 'POST',
    headers,
    body: new URLSearchParams(fields.map(([name, value]) => [name, value])),
  })

describe('a form that came after its session was over', () => {
  it('comes back whole, in its order, and goes where it was going', async () => {
    const answer = await send(
      [
        ['note', 'two\nlines "أمينة" <script>'],
        ['shared', 'Observation'],
        ['shared', 'Condition'],
        ['empty', ''],
      ],
      '/patients/amina/new?step=2',
    )
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const page = await answer.text()
    expect(page).toContain('action="/patients/amina/new?step=2"')
    expect(page.match(/<input type="hidden".*?\/>/gs)).toEqual([
      '<input type="hidden" name="note" value="two\nlines &quot;أمينة&quot; &lt;script>"/>',
      '<input type="hidden" name="shared" value="Observation"/>',
      '<input type="hidden" name="shared" value="Condition"/>',
      '<input type="hidden" name="empty" value/>',
    ])
  })

  it.each(['//evil.example/new', 'https://evil.example/new', String.raw`/\evil.example`, 'javascript:alert(1)'])(
    'is never sent on to %s',
    async (to) => {
      expect(await (await send([['note', 'x']], to)).text()).toContain('action="/"')
    },
  )

  it.each([
    ['of another site', [['note', 'x']], { 'sec-fetch-site': 'cross-site' }, 403],
    ['with more fields than any form has', Array.from({ length: 201 }, () => ['a', 'b']), {}, 400],
    ['larger than any form', [['note', 'x'.repeat(270_000)]], {}, 413],
  ] satisfies [string, [string, string][] | string[][], Record<string, string>, number][])(
    'is not taken from a page %s',
    async (_what, fields, headers, status) => {
      const pairs = fields.map(([name = '', value = '']): [string, string] => [name, value])
      expect((await send(pairs, '/new', headers)).status).toBe(status)
    },
  )
})
