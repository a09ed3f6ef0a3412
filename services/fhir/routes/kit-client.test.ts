import { Client } from 'fhir-kit-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fhirWorld, program, tokenOf, type FhirWorld } from '../testing/fhir-world.ts'

// A client by other authors: it builds its requests and reads our answers without knowing us.
describe('fhir-kit-client', () => {
  let world: FhirWorld
  let client: Client
  beforeAll(async () => {
    world = await fhirWorld()
    client = new Client({ baseUrl: world.base, bearerToken: tokenOf(program) })
  })
  afterAll(() => world[Symbol.asyncDispose]())

  const patient = (value: string, rest: object = {}) => ({
    resourceType: 'Patient',
    identifier: [{ system: 'urn:mrn', value }],
    ...rest,
  })

  it('drives every interaction', async () => {
    const created: any = await client.create({ resourceType: 'Patient', body: patient('kit-1') as never })
    const { id } = created
    expect(created.meta.versionId).toBe('1')
    expect(await client.read({ resourceType: 'Patient', id })).toEqual(created)

    const updated: any = await client.update({ resourceType: 'Patient', id, body: { ...created, active: true } })
    expect(updated.meta.versionId).toBe('2')
    expect(await client.vread({ resourceType: 'Patient', id, version: '1' })).toEqual(created)

    const conditional: any = await client.update({
      resourceType: 'Patient',
      searchParams: { identifier: 'urn:mrn|kit-1' },
      body: patient('kit-1', { gender: 'other' }) as never,
    })
    expect([conditional.id, conditional.meta.versionId]).toEqual([id, '3'])

    const patched: any = await client.patch({
      resourceType: 'Patient',
      id,
      jsonPatch: [{ op: 'replace', path: '/gender', value: 'female' }] as never,
    })
    expect(patched.gender).toBe('female')

    const searched: any = await client.search({
      resourceType: 'Patient',
      searchParams: { identifier: 'urn:mrn|kit-1' },
    })
    expect(searched.entry.map(({ resource }: any) => resource.id)).toEqual([id])
    const posted: any = await client.search({
      resourceType: 'Patient',
      searchParams: { identifier: 'urn:mrn|kit-1' },
      options: { postSearch: true },
    } as never)
    expect(posted.total).toBe(1)

    const history: any = await client.history({ resourceType: 'Patient', id })
    expect(history.entry).toHaveLength(4)
    expect(((await client.history({ resourceType: 'Patient' })) as any).entry).toHaveLength(4)
    expect(((await client.history({})) as any).type).toBe('history')

    const transaction: any = await client.transaction({
      body: {
        resourceType: 'Bundle',
        type: 'transaction',
        entry: [{ resource: patient('kit-2'), request: { method: 'POST', url: 'Patient' } }],
      } as never,
    })
    expect(transaction.entry[0].response.status).toBe('201 Created')
    const batch: any = await client.batch({
      body: {
        resourceType: 'Bundle',
        type: 'batch',
        entry: [{ request: { method: 'GET', url: `Patient/${id}` } }],
      } as never,
    })
    expect(batch.entry[0].resource.id).toBe(id)

    expect(((await client.capabilityStatement()) as any).fhirVersion).toBe('4.0.1')
    await client.delete({ resourceType: 'Patient', id })
    await expect(client.read({ resourceType: 'Patient', id })).rejects.toMatchObject({ response: { status: 410 } })
  })

  it('follows the links of a paged search', async () => {
    for (const value of ['p-1', 'p-2', 'p-3']) {
      await client.create({
        resourceType: 'Patient',
        body: patient(value, { name: [{ family: 'Pagewise' }] }) as never,
      })
    }
    const found: string[] = []
    let page: any = await client.search({
      resourceType: 'Patient',
      searchParams: { family: 'Pagewise', _count: '2' } as never,
    })
    while (page !== undefined) {
      found.push(...page.entry.map(({ resource }: any) => resource.identifier[0].value))
      page = await client.nextPage({ bundle: page })
    }
    expect(found.sort()).toEqual(['p-1', 'p-2', 'p-3'])
  })
})
