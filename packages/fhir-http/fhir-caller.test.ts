import { describe, expect, it } from 'vitest'
import type { OutboundRequest } from '../http/outbound/outbound.ts'
import { outboundResponse } from '../http/outbound/outbound-response.ts'
import { FhirCaller } from './fhir-caller.ts'

/** An outbound client that answers with the given statuses, one after the other. */
function answering(...statuses: readonly number[]) {
  const sent: OutboundRequest[] = []
  const send = async (request: OutboundRequest) => {
    const status = statuses[sent.length] ?? 200
    sent.push(request)
    return outboundResponse(status, new Headers(), new TextEncoder().encode('{"resourceType":"Patient","id":"1"}'), 'x')
  }
  return { sent, outbound: { send } }
}

function tokens() {
  const forgotten: string[] = []
  return { forgotten, token: async () => `t${forgotten.length}`, forget: (token: string) => void forgotten.push(token) }
}

describe('a caller of a FHIR server', () => {
  it('replaces a refused token once', async () => {
    const { sent, outbound } = answering(401, 401)
    const token = tokens()
    const { status } = await new FhirCaller({ base: 'http://x/fhir', outbound, token }).get('Patient/1')
    expect([status, token.forgotten, sent.map(({ headers }) => headers?.['authorization'])]).toEqual([
      401,
      ['t0'],
      ['Bearer t0', 'Bearer t1'],
    ])
  })

  it('sends no token where there is none, and FHIR JSON with a body', async () => {
    const { sent, outbound } = answering()
    await new FhirCaller({ base: 'http://x/fhir', outbound }).post('Patient', { a: 1 })
    expect(sent[0]).toMatchObject({ method: 'POST', url: 'http://x/fhir/Patient', body: '{"a":1}' })
    expect(sent[0]?.headers).toEqual({
      accept: 'application/fhir+json',
      'content-type': 'application/fhir+json',
      prefer: 'return=representation',
    })
  })

  it('does not replace a token that is not its own', async () => {
    const { sent, outbound } = answering(401)
    const { status } = await new FhirCaller({ base: 'http://x/fhir', outbound, token: async () => 't' }).get(
      'Patient/1',
    )
    expect([status, sent.map(({ headers }) => headers?.['authorization'])]).toEqual([401, ['Bearer t']])
  })

  it('sends a search as a form', async () => {
    const { sent, outbound } = answering()
    const caller = new FhirCaller({ base: 'http://x/fhir', outbound })
    await caller.search('Patient', new URLSearchParams({ family: 'Zegeye' }))
    expect(sent[0]).toMatchObject({ method: 'POST', url: 'http://x/fhir/Patient/_search', body: 'family=Zegeye' })
    expect(sent[0]?.headers).toEqual({
      accept: 'application/fhir+json',
      'content-type': 'application/x-www-form-urlencoded',
    })
  })

  it.each([
    ['', 'http://x/fhir'],
    ['Patient/1', 'http://x/fhir/Patient/1'],
    ['http://x/fhir?page=2', 'http://x/fhir?page=2'],
    ['http://x/fhir/Patient?page=2', 'http://x/fhir/Patient?page=2'],
    ['http://x/fhirst/1', 'http://x/fhir/http://x/fhirst/1'],
    ['http://evil.example/fhir', 'http://x/fhir/http://evil.example/fhir'],
  ])('finds %j at %s, and never leaves its base', async (path, url) => {
    const { sent, outbound } = answering()
    await new FhirCaller({ base: 'http://x/fhir', outbound }).send(path)
    expect(sent[0]).toMatchObject({ method: 'GET', url })
  })

  it('finds the resource that an answer must hold', async () => {
    const { outbound } = answering(200)
    const caller = new FhirCaller({ base: 'http://x/fhir', outbound })
    expect(caller.resourceOf(await caller.get('x'), 'Patient')).toMatchObject({ id: '1' })
  })

  it.each([
    [200, 'Bundle'],
    [404, 'Patient'],
  ] as const)('finds an answer of status %i unusable where a %s was asked for', async (status, type) => {
    const { outbound } = answering(status)
    const caller = new FhirCaller({ base: 'http://x/fhir', outbound })
    const answer = await caller.get('x')
    expect(() => caller.resourceOf(answer, type)).toThrow('cannot be used')
  })
})
