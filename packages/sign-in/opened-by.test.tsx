import { once } from 'node:events'
import { globSync, readFileSync } from 'node:fs'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { redirect } from '../http/answer.ts'
import { formType } from '../http/body.ts'
import { nothing } from '../http/content.ts'
import { object, text } from '../http/fields.ts'
import { routeFor } from '../http/route.ts'
import { callerWith, testServer, type TestServer } from '../http/testing/test-server.ts'
import { PostForm } from '../views/components/post-form.tsx'
import { openedBy } from '../views/opened-by.ts'
import { renderFragment } from '../views/render.ts'
import type { SignIn } from './sign-in.ts'
import { visiting, writing } from './visiting.ts'

const visitor = { caller: callerWith(['CLINICIAN']), name: 'Dr Amara Okafor', accessToken: 'a-token' }
const mine = openedBy(visitor.caller.subject)
const another = openedBy('dr-baraka')

const kept: string[] = []
const route = routeFor<{ readonly signIn: SignIn }>()
const shared = { method: 'POST', accepts: [formType], output: { 303: nothing, 307: nothing } } as const
const keepNote = route({
  ...{ ...shared, path: '/notes', who: writing('CLINICIAN'), summary: 'Keeps a note' },
  input: { body: object({ note: text({ max: 10 }) }) },
  run: ({ body }) => {
    kept.push(body.note)
    return redirect(303, '/')
  },
})
const press = route({
  ...{ ...shared, path: '/press', who: visiting('CLINICIAN'), summary: 'Does something' },
  run: () => {
    kept.push('pressed')
    return redirect(303, '/')
  },
})

let server: TestServer
beforeAll(async () => {
  // Sound: guards ask it nothing else. Who is signed in, and how, is told in the tests of pages.
  const signIn = { visit: async () => ({ is: 'open', visitor }) } as unknown as SignIn
  server = await testServer<{ readonly signIn: SignIn }>([keepNote, press], { deps: { signIn } })
})
afterAll(() => server?.[Symbol.asyncDispose]())
beforeEach(() => void kept.splice(0))

async function send(path: string, body: string, headers: Readonly<Record<string, string>> = {}) {
  const sent = httpRequest({
    ...{ host: '127.0.0.1', port: server.port, path, method: 'POST' },
    headers: { 'content-type': formType, 'content-length': Buffer.byteLength(body), ...headers },
  })
  sent.end(body)
  // Sound: the event of an answer comes with one.
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  const chunks = await answer.toArray()
  return [answer.statusCode, /"code":"(\w+)"/.exec(Buffer.concat(chunks).toString())?.[1]]
}

const byHand = { 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'same-origin' }
const taken = [303, undefined]
const refused = [403, 'FORM_OF_ANOTHER']

describe('a form', () => {
  it.each([
    ['of who is signed in is taken', `openedBy=${mine}`, byHand, taken],
    ['of a program that does not say who opened it is taken', '', {}, taken],
    ['of somebody else is refused', `openedBy=${another}`, byHand, refused],
    ['of somebody else is refused to a script, too', `openedBy=${another}`, { 'sec-fetch-mode': 'cors' }, refused],
    ['of somebody else is refused to who says both', `openedBy=${mine}&openedBy=${another}`, byHand, refused],
    ['of nobody is refused', 'openedBy=', byHand, refused],
    ['of a browser that does not say who opened it is refused', '', byHand, [403, 'FOREIGN_ORIGIN']],
  ])('%s', async (_which, field, headers, expected) => {
    expect(await send('/notes', `note=a&${field}`, headers)).toEqual(expected)
    expect(await send('/press', field, headers)).toEqual(expected)
    expect(kept).toEqual(expected === taken ? ['a', 'pressed'] : [])
  })

  it('of somebody else is not looked at: what is wrong with it is theirs', async () => {
    expect(await send('/notes', `note=much+longer+than+ten&openedBy=${another}`, byHand)).toEqual(refused)
    expect(await send('/notes', `note=much+longer+than+ten&openedBy=${mine}`, byHand)).toEqual([400, undefined])
  })
})

it('a form of the workspace cannot be drawn without saying who opened it', () => {
  expect(() => renderFragment(<PostForm action="/notes" />)).toThrow('a form outside of a page of the workspace')
})

it('no page of the workspace has another form that does something', () => {
  const root = join(import.meta.dirname, '../..')
  const pages = ['packages/{views,sign-in}', 'services/{consent,referral,bridge}', 'apps'].flatMap((folder) =>
    globSync(`${folder}/**/*.tsx`, { cwd: root }),
  )
  const forms = pages.filter(
    (path) => !path.endsWith('.test.tsx') && /method=("|\{')post/i.test(readFileSync(join(root, path), 'utf8')),
  )
  expect(forms.map((path) => path.replaceAll('\\', '/')).toSorted()).toEqual([
    // Gives back what was sent, with the field.
    'packages/views/components/kept-form.tsx',
    'packages/views/components/post-form.tsx',
    'packages/views/fixtures/sign-in-page.tsx',
    // Signing out is never refused (1721).
    'packages/views/workspace-layout.tsx',
  ])
  expect(pages.length).toBeGreaterThan(60)
})
