import { Client, type FhirResource } from 'fhir-kit-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fhirWorld, program, tokenOf, type FhirWorld } from '../testing/fhir-world.ts'
import type { Seen } from '../testing/seen.ts'

/** Sound as far as a test that looks at what is not there fails. */
const seen = async (answer: Promise<FhirResource>) => (await answer) as unknown as Seen

/** A searchset has links. */
const linked = (page: FhirResource) => page as FhirResource & { link: { relation: string; url: string }[] }

// A client by other authors: it builds its requests and reads our answers without knowing us.
describe('fhir-kit-client', () => {
  let world: FhirWorld
  let client: Client
  beforeAll(async () => {
    world = await fhirWorld()
    client = new Client({ baseUrl: world.base, bearerToken: tokenOf(program) })
  })
  afterAll(() => world[Symbol.asyncDispose]())

  const resourceType = 'Patient'
  const patient = (value: string, rest: object = {}) => ({
    resourceType,
    identifier: [{ system: 'urn:mrn', value }],
    ...rest,
  })
  const bundle = (type: string, ...entry: readonly object[]) => ({ resourceType: 'Bundle', type, entry })
  const searchParams = { identifier: 'urn:mrn|kit-1' }

  it('drives every interaction', async () => {
    const created = await seen(client.create({ resourceType, body: patient('kit-1') }))
    const { id } = created
    expect(created.meta.versionId).toBe('1')
    expect(await client.read({ resourceType, id })).toEqual(created)

    const updated = await seen(client.update({ resourceType, id, body: patient('kit-1', { id, active: true }) }))
    expect(updated.meta.versionId).toBe('2')
    expect(await client.vread({ resourceType, id, version: '1' })).toEqual(created)

    const body = patient('kit-1', { gender: 'other' })
    const conditional = await seen(client.update({ resourceType, searchParams, body }))
    expect([conditional.id, conditional.meta.versionId]).toEqual([id, '3'])

    const jsonPatch = [{ op: 'replace', path: '/gender', value: 'female' } as const]
    expect((await seen(client.patch({ resourceType, id, jsonPatch }))).gender).toBe('female')

    const searched = await seen(client.search({ resourceType, searchParams }))
    expect(searched.entry.map(({ resource }) => resource.id)).toEqual([id])
    expect((await seen(client.search({ resourceType, searchParams, options: { postSearch: true } }))).total).toBe(1)

    expect((await seen(client.history({ resourceType, id }))).entry).toHaveLength(4)
    expect((await seen(client.history({ resourceType }))).entry).toHaveLength(4)
    expect((await seen(client.history({}))).type).toBe('history')

    const post = { resource: patient('kit-2'), request: { method: 'POST', url: 'Patient' } }
    const transaction = await seen(client.transaction({ body: bundle('transaction', post) }))
    expect(transaction.entry[0]?.response.status).toBe('201 Created')
    const get = { request: { method: 'GET', url: `Patient/${id}` } }
    const batch = await seen(client.batch({ body: bundle('batch', get) }))
    expect(batch.entry[0]?.resource.id).toBe(id)

    expect((await seen(client.capabilityStatement())).fhirVersion).toBe('4.0.1')
    await client.delete({ resourceType, id })
    await expect(client.read({ resourceType, id })).rejects.toMatchObject({ response: { status: 410 } })
  })

  it('follows the links of a paged search', async () => {
    for (const value of ['p-1', 'p-2', 'p-3']) {
      await client.create({ resourceType, body: patient(value, { name: [{ family: 'Pagewise' }] }) })
    }
    const found: string[] = []
    let page: Promise<FhirResource> | undefined = client.search({
      resourceType,
      searchParams: { family: 'Pagewise', _count: '2' },
    })
    while (page !== undefined) {
      found.push(...(await seen(page)).entry.map(({ resource }) => resource.identifier[0]?.value ?? ''))
      page = client.nextPage({ bundle: linked(await page) })
    }
    expect(found.sort()).toEqual(['p-1', 'p-2', 'p-3'])
  })
})
