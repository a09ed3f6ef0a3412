import { expect, it } from 'vitest'
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

interface Bundle {
  readonly entry: readonly { readonly resource: { readonly resourceType: string; readonly address?: string } }[]
}
