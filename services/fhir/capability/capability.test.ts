import { createServer, get } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createValidate } from '../../../packages/fhir/validate/validator.ts'
import { fhirWorld, type FhirWorld } from '../testing/fhir-world.ts'

describe('discovery', () => {
  let world: FhirWorld
  const auth = createServer((_request, response) => void response.end('{"token_endpoint":"x","capabilities":["y"]}'))
  beforeAll(async () => {
    await new Promise<void>((resolve) => auth.listen(0, '127.0.0.1', resolve))
    const address = auth.address()
    const port = typeof address === 'object' ? address?.port : undefined
    world = await fhirWorld({ authUrl: `http://127.0.0.1:${port}`, allowedOrigins: ['https://app.example'] })
  })
  afterAll(async () => {
    await world[Symbol.asyncDispose]()
    auth.close()
  })

  it('the CapabilityStatement is valid, open to all and to every page', async () => {
    const { status, body, headers } = await world.call('GET', '/metadata', {
      as: null,
      headers: { origin: 'https://anyone.example' },
    })
    expect(status).toBe(200)
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(createValidate(world.deps.definitions)(body)).toEqual([])
    expect(body).toMatchObject({ fhirVersion: '4.0.1', rest: [{ mode: 'server' }] })
    expect(body.rest[0]?.resource).toHaveLength(world.deps.definitions.resourceTypes.size - 1)
    const compartments = ['device', 'encounter', 'patient', 'practitioner', 'relatedPerson']
    expect(body.rest[0]?.compartment.toSorted()).toEqual(
      compartments.map((name) => `http://hl7.org/fhir/CompartmentDefinition/${name}`),
    )
  })

  it('the CapabilityStatement, which is long, is sent compressed, and not again to who has it', async () => {
    // Not fetch, which unpacks what it gets.
    const ask = (query: string, headers: Record<string, string>) =>
      new Promise<{ status: number | undefined; headers: NodeJS.Dict<string | string[]>; body: Buffer }>(
        (resolve, reject) => {
          get(`${world.base}/metadata${query}`, { headers }, (response) => {
            buffer(response).then(
              (body) => resolve({ status: response.statusCode, headers: response.headers, body }),
              reject,
            )
          }).on('error', reject)
        },
      )
    for (const query of ['', '?_pretty=true']) {
      const [plain, packed] = [await ask(query, {}), await ask(query, { 'accept-encoding': 'gzip' })]
      expect(packed.headers).toMatchObject({
        'content-encoding': 'gzip',
        'content-type': 'application/fhir+json; charset=utf-8',
        'cache-control': 'public, max-age=300',
        vary: 'Accept-Encoding',
      })
      expect(plain.headers['content-encoding']).toBeUndefined()
      expect(gunzipSync(packed.body).equals(plain.body)).toBe(true)
      expect(packed.body.length).toBeLessThan(plain.body.length / 10)
      for (const { headers } of [plain, packed]) {
        const etag = String(headers['etag'])
        const again = await ask(query, {
          'if-none-match': etag,
          ...(headers === packed.headers ? { 'accept-encoding': 'gzip' } : {}),
        })
        expect([again.status, again.body.length, again.headers['etag']]).toEqual([304, 0, etag])
      }
    }
  })

  it('claims of a type what its routes do', async () => {
    const { body } = await world.call('GET', '/metadata')
    const patient = body.rest[0]?.resource.find(({ type }) => type === 'Patient')
    expect(patient).toMatchObject({ conditionalUpdate: true, conditionalDelete: 'single', updateCreate: true })
    expect(patient?.interaction.map(({ code }) => code)).toContain('patch')
    expect(patient?.searchParam.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['identifier', 'birthdate', '_id', '_lastUpdated', 'general-practitioner']),
    )
    expect(patient?.searchParam.map(({ name }) => name)).not.toContain('phonetic')
    expect(patient?.searchRevInclude).toEqual(
      expect.arrayContaining(['*', 'Observation:subject', 'Observation:patient', 'Provenance:target', 'Patient:link']),
    )
    expect(patient?.searchRevInclude).not.toContain('Location:organization')
    const everything = patient?.operation.find(({ name }) => name === 'everything')
    expect(everything?.documentation).toContain('Not of all patients')
    const audit = body.rest[0]?.resource.find(({ type }) => type === 'AuditEvent')
    expect(audit?.interaction.map(({ code }) => code)).not.toContain('update')
    const subscription = body.rest[0]?.resource.find(({ type }) => type === 'Subscription')
    expect(subscription?.documentation).toContain('role ADMIN')
  })

  it('every reverse include that it claims can be asked for', async () => {
    const { body } = await world.call('GET', '/metadata')
    const patient = body.rest[0]?.resource.find(({ type }) => type === 'Patient')
    const refused: string[] = []
    const claims = patient?.searchRevInclude ?? []
    for (let from = 0; from < claims.length; from += 30) {
      const query = claims.slice(from, from + 30).map((claim) => `_revinclude=${claim}`)
      const answer = await world.call('GET', `/Patient?${query.join('&')}`, { headers: { prefer: 'handling=strict' } })
      if (answer.status !== 200) refused.push(answer.text)
    }
    expect(refused).toEqual([])
  })

  it('claims nothing of Parameters, which are not stored', async () => {
    const { body } = await world.call('GET', '/metadata')
    expect(body.rest[0]?.resource.map(({ type }) => type)).not.toContain('Parameters')
    const sent = await world.call('POST', '/Parameters', { body: { resourceType: 'Parameters' } })
    expect([sent.status, sent.body.issue[0]?.diagnostics]).toEqual([404, expect.stringContaining('not stored')])
  })

  it('every search parameter that it claims can be searched', async () => {
    const { body } = await world.call('GET', '/metadata')
    const claims = (body.rest[0]?.resource ?? [])
      .filter(({ type }) => ['Patient', 'Observation', 'Encounter', 'ValueSet'].includes(type))
      .flatMap(({ type, searchParam }) => searchParam.map(({ name }) => [type, name] as const))
    const refused: string[] = []
    for (const [type, name] of claims) {
      const answer = await world.call('GET', `/${type}?${name}:missing=true`, {
        headers: { prefer: 'handling=strict' },
      })
      if (answer.status !== 200 && !['_id', '_lastUpdated'].includes(name)) refused.push(`${type}.${name}`)
    }
    expect(refused).toEqual([])
  })

  it('serves the SMART document of the authorization server under the base, whatever is accepted', async () => {
    const { status, body, headers } = await world.call('GET', '/.well-known/smart-configuration', {
      as: null,
      headers: { accept: 'text/plain', origin: 'https://anyone.example' },
    })
    expect([status, body.token_endpoint]).toEqual([200, 'x'])
    expect(headers.get('content-type')).toMatch(/^application\/json/)
    expect(headers.get('access-control-allow-origin')).toBe('*')
  })

  it('lets pages of registered origins call, and read why they were refused', async () => {
    const from = async (origin: string) =>
      (await world.call('GET', '/Patient/x', { as: null, headers: { origin } })).headers.get(
        'access-control-allow-origin',
      )
    expect(await from('https://app.example')).toBe('https://app.example')
    expect(await from('https://evil.example')).toBeNull()
  })
})
