import { afterAll, beforeAll, expect, it } from 'vitest'
import { testCorridor, type TestCorridor } from '../../packages/testkit/test-corridor.ts'
import { AppVisitor } from '../../services/immunization/testing/app-visitor.ts'

let corridor: TestCorridor
beforeAll(async () => {
  corridor = await testCorridor({ services: ['auth', 'fhir', 'consent', 'bridge'] })
})
afterAll(() => corridor[Symbol.asyncDispose]())

it.each([
  ['consent', '/admin/records?organisation=Organization%2Fcentral-hospital&page=1&size=1'],
  ['bridge', '/console/alerts?status=open&page=1&size=7'],
  ['bridge', '/console/codes?status=open&page=1&size=7'],
  ['bridge', '/console/messages?channelId=adt&page=1&size=7'],
  ['auth', '/account/apps?page=1&size=7'],
] as const)(
  'who turns to a page of %s behind the last is led to that, in the same steps: %s',
  async (service, path) => {
    const visitor = new AppVisitor(corridor)
    await visitor.signIn('admin')
    const first = await visitor.follow(await visitor.get(`${corridor.url(service)}${path}`))
    expect(first.status).toBe(200)
    const answer = await visitor.get(`${corridor.url(service)}${path.replace('page=1&', 'page=99&')}`)
    expect(answer.status).toBe(302)
    expect(answer.headers.get('location')?.replace(/page=\d+/, 'page=1')).toBe(path)
  },
)
