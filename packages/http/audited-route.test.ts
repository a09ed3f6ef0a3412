import { Type } from 'typebox'
import { expect, it } from 'vitest'
import { conflict } from '../faults/fault.ts'
import { route } from './route.ts'
import { bearer, testServer } from './testing/test-server.ts'
import { roles } from './who.ts'

it('tells an audited route of every fault and of whoever was found, also before the route runs', async () => {
  const told: string[] = []
  const audited = route({
    method: 'POST',
    path: '/audited',
    who: roles('ADMIN'),
    summary: 'Is audited',
    input: { query: { count: Type.Integer() } },
    output: { 200: Type.Object({}) },
    onFault: ({ fault, caller, request }) => told.push(`${fault.kind} ${String(caller !== undefined)} ${request.url}`),
    run: ({ query }) => {
      if (query.count === 2) throw conflict('Twice.')
      return {}
    },
  })
  await using server = await testServer([audited])
  const post = (query: string, token?: string) =>
    fetch(`${server.url}/audited?${query}`, { method: 'POST', headers: token === undefined ? {} : bearer(token) })
  await post('count=1', 'ADMIN~')
  await post('count=1')
  await post('count=1', 'broken')
  await post('count=1', 'PATIENT~')
  await post('count=many', 'ADMIN~')
  await post('count=2', 'ADMIN~')
  expect(told).toEqual([
    'unauthenticated false /audited?count=1',
    'unauthenticated false /audited?count=1',
    'forbidden true /audited?count=1',
    'incorrect true /audited?count=many',
    'conflict true /audited?count=2',
  ])
})
