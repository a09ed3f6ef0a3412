import { describe, expect, it } from 'vitest'
import type { OutboundRequest } from '../../../packages/http/outbound.ts'
import { outboundResponse } from '../../../packages/http/outbound-response.ts'
import { recordWith } from '../testing/record-fixture.ts'
import { httpConsentStore } from './http-consent-store.ts'
import { projectConsent } from './project-consent.ts'

function storeAt(status: number) {
  const sent: OutboundRequest[] = []
  const forgotten: string[] = []
  const store = httpConsentStore({
    base: 'http://fhir.example/fhir',
    outbound: {
      send: async (request) => {
        sent.push(request)
        return outboundResponse(status, new Headers(), new Uint8Array(), 'fhir-service')
      },
    },
    token: { token: async () => 'token-1', forget: (token) => void forgotten.push(token) },
  })
  return { store, sent, forgotten }
}

const consent = projectConsent(recordWith())
const { signal } = new AbortController()

describe('a Consent', () => {
  it.each([200, 201])('is put under its id, and %i is success', async (status) => {
    const { store, sent } = storeAt(status)
    await store.put(consent, { signal })
    expect(sent).toMatchObject([
      {
        method: 'PUT',
        url: 'http://fhir.example/fhir/Consent/consent-1',
        headers: { authorization: 'Bearer token-1', 'content-type': 'application/fhir+json' },
      },
    ])
  })

  it.each([
    [400, 'unprocessable'],
    [422, 'unprocessable'],
    [401, 'unavailable'],
    [403, 'unavailable'],
    [409, 'unavailable'],
    [503, 'unavailable'],
  ])('that is answered with %i is a fault of kind %s', async (status, kind) => {
    const { store, forgotten } = storeAt(status)
    await expect(store.put(consent, { signal })).rejects.toMatchObject({ kind })
    expect(forgotten).toEqual(status === 401 ? ['token-1'] : [])
  })
})
