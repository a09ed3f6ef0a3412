import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fhirWorld, program, tokenOf, type FhirWorld } from '../testing/fhir-world.ts'

describe('a Binary', () => {
  let world: FhirWorld
  beforeAll(async () => {
    world = await fhirWorld()
  })
  afterAll(() => world[Symbol.asyncDispose]())

  const bytes = Buffer.from([0x89, 0x50, 0x00, 0xff, 0x0a])
  const send = (method: string, path: string, contentType: string, body: Uint8Array<ArrayBuffer> | string = bytes) =>
    fetch(`${world.base}${path}`, {
      method,
      body,
      headers: { authorization: `Bearer ${tokenOf(program)}`, 'content-type': contentType },
    })
  const get = (path: string, accept: string) =>
    fetch(`${world.base}${path}`, { headers: { authorization: `Bearer ${tokenOf(program)}`, accept } })

  it('is sent as what it holds, and fetched as that or as a resource', async () => {
    const created = await send('POST', '/Binary', 'image/png')
    expect(created.status).toBe(201)
    const { id, contentType, data } = (await created.json()) as Record<string, string>
    expect([contentType, data]).toEqual(['image/png', bytes.toString('base64')])
    for (const path of [`/Binary/${id}`, `/Binary/${id}/_history/1`]) {
      for (const accept of ['image/png', 'image/*', 'image/webp, image/png;q=0.8, */*;q=0.1']) {
        const native = await get(path, accept)
        expect([native.status, native.headers.get('content-type')]).toEqual([200, 'image/png'])
        expect(Buffer.from(await native.arrayBuffer())).toEqual(bytes)
        expect(native.headers.get('content-disposition')).toBe('attachment')
        expect(native.headers.get('x-content-type-options')).toBe('nosniff')
        expect(native.headers.get('content-security-policy')).toContain("default-src 'none'")
        expect(native.headers.get('etag')).toBe('W/"1"')
      }
      for (const accept of ['application/fhir+json', '*/*', 'application/*', 'image/png, application/fhir+json']) {
        const asResource = await get(path, accept)
        expect(asResource.headers.get('content-type')).toBe('application/fhir+json; charset=utf-8')
        expect(await asResource.json()).toMatchObject({ resourceType: 'Binary', id })
      }
      expect((await get(path, 'text/plain')).status).toBe(406)
      expect((await get(`${path}?_format=json`, 'image/png')).headers.get('content-type')).toContain('json')
    }
  })

  it('is replaced under its id, with what it is about', async () => {
    const written = await fetch(`${world.base}/Binary/note`, {
      method: 'PUT',
      body: 'é',
      headers: {
        authorization: `Bearer ${tokenOf(program)}`,
        'content-type': 'text/plain; charset=utf-8',
        'x-security-context': 'Patient/amina',
      },
    })
    expect([written.status, await written.json()]).toMatchObject([
      201,
      { id: 'note', securityContext: { reference: 'Patient/amina' } },
    ])
    const native = await get('/Binary/note', 'text/plain')
    expect([native.headers.get('content-type'), await native.text()]).toEqual(['text/plain; charset=utf-8', 'é'])
    expect(native.headers.get('x-security-context')).toBe('Patient/amina')
  })

  it.each([
    // A browser takes JSON when it asks for HTML.
    ['text/html', 200],
    ['image/svg+xml', 406],
    ['application/javascript', 406],
  ])('of %s goes as JSON only', async (contentType, expected) => {
    expect((await send('POST', '/Binary', contentType, '<p>')).status).toBe(415)
    const body = { resourceType: 'Binary', id: 'page', contentType, data: btoa('<p>') }
    await world.call('PUT', '/Binary/page', { body })
    const { status, headers } = await get('/Binary/page', contentType)
    expect([status, headers.get('content-type')]).toEqual([expected, 'application/fhir+json; charset=utf-8'])
  })

  it('is given under no more than its type where what follows that is odd', async () => {
    const body = { resourceType: 'Binary', id: 'odd', contentType: 'image/png; "<p>"', data: bytes.toString('base64') }
    expect((await world.call('PUT', '/Binary/odd', { body })).status).toBe(201)
    expect((await get('/Binary/odd', 'image/png')).headers.get('content-type')).toBe('image/png')
  })

  it('is the only resource that is sent so, and is seen by who may read it', async () => {
    const refused = await send('POST', '/Patient', 'text/plain', 'x')
    expect([refused.status, await refused.text()]).toEqual([415, expect.stringContaining('application/fhir+json')])
    expect((await send('PUT', '/Patient/x', 'image/png')).status).toBe(415)
    expect((await get('/Patient/x', 'image/png')).status).toBe(406)
    const as = { patient: 'amina', scope: 'patient/*.cruds' }
    expect((await world.call('GET', '/Binary/note', { as, headers: { accept: 'text/plain' } })).status).toBe(403)
  })
})
