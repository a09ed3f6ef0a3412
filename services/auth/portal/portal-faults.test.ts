import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { garbage, hang, pass, refuse, reset, status, type FaultMode } from '../../../packages/testkit/fault-modes.ts'
import { startFaultProxy, type FaultProxy } from '../../../packages/testkit/fault-proxy.ts'
import type { Encounter, Patient } from '../../../ports/fhir-store/resources.ts'
import { goldenTag } from '../../../ports/patient-index/golden-link.ts'
import { startSmallFhirServer, type SmallFhirServer } from '../testing/small-fhir-server.ts'
import { startTestAuth, type TestAuth } from '../testing/test-auth.tsx'
import type { TestBrowser } from '../testing/test-browser.ts'

let fhir: SmallFhirServer
let proxy: FaultProxy
let auth: TestAuth
let browser: TestBrowser
beforeAll(async () => {
  fhir = await startSmallFhirServer()
  proxy = await startFaultProxy({ port: fhir.port })
  auth = await startTestAuth({ fhirBase: `${proxy.url}/fhir`, fhirDeadlineMs: 300 })
  browser = auth.browser()
  await browser.signIn()
})
afterAll(async () => {
  await auth?.[Symbol.asyncDispose]()
  await proxy?.close()
  await fhir?.[Symbol.asyncDispose]()
})

/** Asked until it is right where the FHIR server is well: on a busy machine 300 ms may be too little for an answer. */
const portalStatus = async () => (await browser.get('/portal')).status

describe('a FHIR server that fails', () => {
  const faults: [string, FaultMode][] = [
    ['is down', refuse],
    ['resets connections', reset],
    ['never answers', hang],
    ['answers 500', status(500)],
    ['answers 503', status(503)],
    ['does not know our token', status(401)],
    ['answers nonsense', garbage],
  ]
  it.each(faults)('that %s makes the portal answer 502 and say what to do', async (_what, mode) => {
    await proxy.set(mode)
    const response = await browser.get('/portal')
    expect(response.status).toBe(502)
    expect(await response.text()).toContain('try again')
    const launch = await browser.post('/portal/launch', { patientId: 'amina-diallo' })
    expect([launch.status, launch.headers.get('location')]).toEqual([502, null])
    const asProgram = await browser.get('/portal', { accept: 'application/json' })
    expect([asProgram.status, asProgram.headers.get('content-type')]).toEqual([502, 'application/problem+json'])
    await proxy.set(pass)
    await expect.poll(portalStatus).toBe(200)
  })

  it.each([400, 404, 422])('that answers a search by %i makes the portal answer 502', async (code) => {
    await proxy.set(status(code))
    const response = await browser.get('/portal?search=amina')
    expect([response.status, await response.text()]).toEqual([502, expect.stringContaining('try again')])
    await proxy.set(pass)
    await expect.poll(portalStatus).toBe(200)
  })

  it('that refuses to show a patient is 403', async () => {
    await proxy.set(status(403))
    await expect.poll(portalStatus).toBe(403)
    await proxy.set(pass)
  })

  it('does not keep anybody from signing in or refreshing', async () => {
    await proxy.set(refuse)
    expect((await auth.browser().signIn()).status).toBe(303)
    expect((await browser.get('/account/apps')).status).toBe(200)
    await proxy.set(pass)
  })
})

it('a visit that was entered in error is none that an app can be opened for', async () => {
  const visit = (id: string, stands: Encounter['status']): Encounter => ({
    ...{ resourceType: 'Encounter', id, status: stands, class: { code: 'AMB' } },
    subject: { reference: 'Patient/amina-diallo' },
  })
  fhir.stored.push(visit('visit-wrong', 'entered-in-error'), visit('visit-next', 'planned'))
  let shown = ''
  const look = async () => (shown = await (await browser.get('/portal/patients/amina-diallo')).text())
  await expect.poll(look).toContain('visit-next')
  expect(shown).not.toContain('visit-wrong')
  const launch = async () =>
    (await browser.post('/portal/launch', { patientId: 'amina-diallo', encounterId: 'visit-wrong' })).status
  await expect.poll(launch).toBe(400)
})

it('the portal lists people, not the golden records that stand for them', async () => {
  const golden: Patient = { resourceType: 'Patient', id: 'golden-1', meta: { tag: [goldenTag] } }
  fhir.stored.push(golden)
  let listed = ''
  const list = async () => (listed = await (await browser.get('/portal')).text())
  await expect.poll(list).toContain('/portal/patients/amina-diallo')
  expect(listed).not.toContain('/portal/patients/golden-1')
})
