import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import type { DocsModel } from './docs-model.ts'
import { integer, list, oneOf, optional, text } from '../fields.ts'
import { nothing } from '../content.ts'
import { route, type Input } from '../route.ts'
import { testServer } from '../testing/test-server.ts'
import { anyone, anyoneKnownIfSignedIn, guard, provenClient, roles, scopes, signedIn, type Who } from '../who.ts'

const revoke = route({
  method: 'POST',
  path: '/api/consent/:id/revoke',
  who: roles('CLINICIAN', 'ADMIN'),
  summary: 'Revokes a consent',
  description: 'A second time changes nothing.',
  tags: ['Consent'],
  input: {
    params: { id: text({ max: 64 }) },
    query: {
      reason: text({ max: 256, optional: true, description: 'Why.' }),
      kinds: optional(list(oneOf(['A', 'B']))),
    },
    body: Type.Object({ note: Type.String() }),
  },
  output: { 200: Type.Object({ id: Type.String() }) },
  run: ({ params }) => ({ id: params.id }),
})
const read = route({
  method: 'GET',
  path: '/api/consent/:id/revoke',
  who: scopes('system/*.read'),
  summary: 'Reads',
  input: { params: { id: integer({ min: 1 }) } },
  output: { 200: Type.Object({ id: Type.Integer() }) },
  run: ({ params }) => ({ id: params.id }),
})
const bare = (path: string, input: Input = {}) =>
  route({
    method: 'GET',
    path,
    who: anyone,
    summary: 'Bare',
    hidden: true,
    input,
    output: { 204: nothing },
    run: () => {},
  })

describe('/docs/openapi.json', () => {
  it('is OpenAPI 3.1 of the route table, with who may call what', async () => {
    await using server = await testServer([revoke, read, bare('/inner')])
    const answer = await fetch(`${server.url}/docs/openapi.json`)
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    const openApi = (await answer.json()) as { paths: Record<string, Record<string, unknown>> }
    expect(openApi).toMatchObject({ openapi: '3.1.0', info: { title: 'Tested service', version: '1.2.3' } })
    expect(Object.keys(openApi.paths)).toEqual([
      '/api/consent/{id}/revoke',
      '/actuator/health',
      '/actuator/health/liveness',
      '/actuator/health/readiness',
      '/actuator/info',
      '/actuator/prometheus',
    ])
    expect(openApi.paths['/api/consent/{id}/revoke']).toMatchObject({
      post: {
        operationId: 'post-api-consent-id-revoke',
        security: [{ bearer: [] }],
        'x-roles': ['CLINICIAN', 'ADMIN'],
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'string', maxLength: 64 } },
          { name: 'reason', in: 'query', required: false },
          { name: 'kinds', in: 'query', required: false },
        ],
        requestBody: { content: { 'application/json': { schema: { type: 'object', required: ['note'] } } } },
        responses: {
          200: { description: 'OK', content: { 'application/json': { schema: { required: ['id'] } } } },
          default: { $ref: '#/components/responses/Problem' },
        },
      },
      get: { 'x-scopes': ['system/*.read'] },
    })
    expect(openApi.paths['/actuator/info']).toMatchObject({ get: { security: [] } })
  })

  it('says what must be sent along: a token, a login, the proof of a client, or nothing', async () => {
    const open = (path: string, who: Who) => ({ ...bare(path), who, hidden: false })
    const routes = [
      open(
        '/record',
        guard('a SMART session', () => 'somebody'),
      ),
      open(
        '/welcome',
        guard('anyone, more for a signed-in user', () => 'somebody'),
      ),
      open('/introspect', provenClient),
      open('/health', anyoneKnownIfSignedIn),
      open('/token', anyone),
      open('/own', signedIn),
    ]
    await using server = await testServer(routes, { docs: { sessionCookie: 'corridor_tested' } })
    const { paths, components } = (await (await fetch(`${server.url}/docs/openapi.json`)).json()) as {
      paths: Record<string, { get: { security: unknown } }>
      components: { securitySchemes: unknown }
    }
    expect(Object.fromEntries(routes.map(({ path }) => [path, paths[path]?.get.security]))).toEqual({
      '/record': [{ session: [] }],
      '/welcome': [{}, { session: [] }],
      '/introspect': [{ basic: [] }, { bearer: [] }],
      '/health': [{}, { bearer: [] }],
      '/token': [],
      '/own': [{ bearer: [] }],
    })
    expect(components.securitySchemes).toMatchObject({
      bearer: { type: 'http', scheme: 'bearer' },
      basic: { type: 'http', scheme: 'basic' },
      session: { type: 'apiKey', in: 'cookie', name: 'corridor_tested' },
    })
  })
})

describe('/docs', () => {
  it('is a page made from the same table', async () => {
    let model: DocsModel | undefined
    const render = (given: DocsModel) => {
      model = given
      return '<h1>docs</h1>'
    }
    await using server = await testServer([revoke], { docs: { description: 'Consents.', render } })
    const answer = await fetch(`${server.url}/docs`)
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(await answer.text()).toBe('<h1>docs</h1>')
    expect(model?.groups.map(({ tag }) => tag)).toEqual(['Consent', 'Operations'])
    expect(model?.groups[0]?.operations[0]).toMatchObject({
      id: 'post-api-consent-id-revoke',
      path: '/api/consent/{id}/revoke',
      who: 'roles CLINICIAN or ADMIN',
      parameters: [
        { name: 'id', in: 'path', required: true, type: 'text, at most 64 characters', description: undefined },
        { name: 'reason', in: 'query', required: false, type: 'text, at most 256 characters', description: 'Why.' },
        { name: 'kinds', in: 'query', required: false, type: 'list of: one of A, B', description: undefined },
      ],
      answers: [{ status: 200, meaning: 'OK', mediaType: 'application/json' }],
    })
  })

  it('is not there where nobody draws it', async () => {
    await using server = await testServer([revoke])
    expect((await fetch(`${server.url}/docs`)).status).toBe(404)
  })
})

describe('the route table', () => {
  it.each([
    ['declared twice', [bare('/a/:x', { params: { x: text() } }), bare('/a/:y', { params: { y: text() } })]],
    ['but its path has', [bare('/a/:x')]],
    ['does not start with a slash', [bare('a')]],
    ['is a GET with a body', [bare('/a', { body: Type.Object({}) })]],
  ])('with a route that is %s stops the start', async (why, routes) => {
    await expect(testServer(routes)).rejects.toThrow(why)
  })
})
