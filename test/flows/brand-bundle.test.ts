import { expect, it } from 'vitest'
import { demoToken } from '../../packages/testkit/demo-token.ts'
import { testCorridor } from '../../packages/testkit/test-corridor.ts'

it('C70: the endpoint of the brand bundle is a FHIR server that answers', async () => {
  await using corridor = await testCorridor({ services: ['auth', 'fhir'] })
  const bundle = (await (await fetch(`${corridor.url('auth')}/brands`)).json()) as Bundle
  const endpoints = bundle.entry.flatMap(({ resource }) => (resource.resourceType === 'Endpoint' ? [resource] : []))
  expect(endpoints.map(({ address }) => address)).toEqual([corridor.url('fhir')])
  const metadata = await fetch(`${endpoints[0]?.address}/metadata`)
  expect([metadata.status, await metadata.json()]).toEqual([
    200,
    expect.objectContaining({ resourceType: 'CapabilityStatement' }),
  ])
})

it('C70: every facility of a large registry has its brand', async () => {
  await using corridor = await testCorridor({ services: ['auth', 'fhir'] })
  const names = Array.from({ length: 450 }, (_, at) => `Health centre ${at + 1}`)
  const entry = names.map((name) => ({
    resource: { resourceType: 'Organization', active: true, name },
    request: { method: 'POST', url: 'Organization' },
  }))
  const stored = await fetch(corridor.url('fhir'), {
    method: 'POST',
    headers: {
      authorization: `Bearer ${await demoToken(corridor.url('auth'))}`,
      'content-type': 'application/fhir+json',
    },
    body: JSON.stringify({ resourceType: 'Bundle', type: 'transaction', entry }),
  })
  expect(stored.status).toBe(200)
  const bundle = (await (await fetch(`${corridor.url('auth')}/brands`)).json()) as Bundle
  const brands = new Set(bundle.entry.map(({ resource }) => resource.name))
  expect(names.filter((name) => !brands.has(name))).toEqual([])
})

interface Bundle {
  readonly entry: readonly {
    readonly resource: { readonly resourceType: string; readonly address?: string; readonly name?: string }
  }[]
}
