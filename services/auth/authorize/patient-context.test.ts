import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../../packages/sql/sql.ts'
import type { Patient, RelatedPerson } from '../../../ports/fhir-store/resources.ts'
import { answerOf, redirectUri, SmartApp, type Tokens } from '../testing/smart-app.ts'
import { startTestAuth, type TestAuth } from '../testing/test-auth.tsx'

let folder = ''
let auth: TestAuth
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'corridor-context-'))
  const passwordFile = join(folder, 'password')
  await writeFile(passwordFile, 'demo\n')
  const person = (username: string, type: string) => ({
    ...{ username, passwordFile, roles: ['PATIENT'] },
    fhirUser: `${type}/${username}`,
  })
  auth = await startTestAuth({
    users: [
      ...['mother', 'aunt', 'former', 'future', 'elsewhere', 'unknown'].map((name) => person(name, 'RelatedPerson')),
      person('somebody', 'Person'),
      person('trainee', 'Practitioner'),
      person('merged-away', 'Patient'),
    ],
    clients: [{ clientId: 'asking-app', redirectUris: [redirectUri], scope: wanted, requiresConsent: true }],
  })
  auth.fhir.stored.push(
    related('mother'),
    related('aunt', { active: false }),
    related('former', { period: { end: '2020-01-01' } }),
    related('future', { period: { start: '2999-01-01' } }),
    related('elsewhere', { patient: { reference: 'https://elsewhere.example/fhir/Patient/amina-diallo' } }),
  )
})
afterAll(async () => {
  await auth?.[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

const wanted = 'launch/patient openid offline_access patient/*.rs user/*.rs'

const related = (id: string, more: Partial<RelatedPerson> = {}): RelatedPerson => ({
  ...{ resourceType: 'RelatedPerson', id, patient: { reference: 'Patient/amina-diallo' } },
  ...more,
})

async function signedIn(username: string) {
  const browser = auth.browser()
  await browser.signIn(username)
  return browser
}

describe('the context of who is related to a patient', () => {
  it('is the patient whom their own record names, for as long as they are signed in', async () => {
    const tokens = await new SmartApp(auth).tokens({ scope: wanted }, await signedIn('mother'))
    expect(tokens).toMatchObject({ patient: 'amina-diallo', scope: 'launch/patient openid patient/*.rs' })
    expect(decodeJwt(tokens.access_token)).toMatchObject({ sub: 'mother', fhirUser: 'RelatedPerson/mother' })
    const again = (await (await new SmartApp(auth).refresh(tokens.refresh_token)).json()) as Tokens
    expect(again).toMatchObject({ patient: 'amina-diallo', scope: tokens.scope })
  })

  it('is read with a token that opens their own record in the store', async () => {
    await new SmartApp(auth).tokens({ scope: wanted }, await signedIn('mother'))
    const read = auth.fhir.requests.findLast(({ url }) => url.endsWith('/RelatedPerson/mother'))
    const claims = decodeJwt(read?.authorization.replace('Bearer ', '') ?? '')
    expect(claims).toMatchObject({
      fhirUser: 'RelatedPerson/mother',
      scope: expect.stringMatching(/(^| )fhirUser( |$)/),
    })
  })

  it('is not looked for where an app asks for nothing of a patient', async () => {
    const before = auth.fhir.requests.length
    const tokens = await new SmartApp(auth).tokens({ scope: 'openid' }, await signedIn('mother'))
    expect([tokens.patient, auth.fhir.requests.length]).toEqual([null, before])
  })

  it('is named by the page that asks for their consent', async () => {
    const browser = await signedIn('mother')
    const asked = await browser.follow(await new SmartApp(auth, 'asking-app').authorize(browser, { scope: wanted }))
    expect(await asked.text()).toContain('Amina Diallo')
    const read = auth.fhir.requests.findLast(({ url }) => url.endsWith('/Patient/amina-diallo'))
    const claims = decodeJwt(read?.authorization.replace('Bearer ', '') ?? '')
    expect(claims).toMatchObject({ patient: 'amina-diallo', scope: expect.stringContaining('patient/Patient.rs') })
  })

  it('is asked about anew where it became another after they had agreed', async () => {
    const browser = await signedIn('mother')
    const app = new SmartApp(auth, 'asking-app')
    const request = answerOf(await app.authorize(browser, { scope: wanted })).get('request') ?? ''
    const allow = (patient: string) =>
      browser.post('/oauth2/authorize/consent', { request, patient, decision: 'allow', scope: 'patient/*.rs' })
    const agreed = await allow('amina-diallo')
    const at = auth.fhir.stored.findIndex(({ id }) => id === 'mother')
    const [before] = auth.fhir.stored.splice(
      at,
      1,
      related('mother', { patient: { reference: 'Patient/kofi-mensah' } }),
    )
    const asked = await browser.follow(agreed)
    expect([asked.status, await asked.text()]).toEqual([200, expect.stringContaining('Kofi Mensah')])
    const code = answerOf(await browser.follow(await allow('kofi-mensah'))).get('code') ?? ''
    expect(await (await app.exchange(code)).json()).toMatchObject({ patient: 'kofi-mensah' })
    auth.fhir.stored.splice(at, 1, before ?? related('mother'))
  })

  it.each(['aunt', 'former', 'future', 'elsewhere', 'unknown'])(
    'is nobody where the relation is not in force: %s',
    async (name) => {
      const tokens = await new SmartApp(auth).tokens({ scope: wanted }, await signedIn(name))
      expect(tokens).toMatchObject({ patient: null, scope: 'openid' })
    },
  )
})

it('of a patient whose record was merged away is that record: links are not followed for access', async () => {
  const link = [{ type: 'replaced-by' as const, other: { reference: 'Patient/amina-diallo' } }]
  const went: Patient = { resourceType: 'Patient', id: 'merged-away', active: false, link }
  auth.fhir.stored.push(went)
  const tokens = await new SmartApp(auth).tokens({ scope: wanted }, await signedIn('merged-away'))
  expect(tokens.patient).toBe('merged-away')
  const refreshed = await new SmartApp(auth).refresh(tokens.refresh_token)
  expect([refreshed.status, ((await refreshed.json()) as Tokens).patient]).toEqual([200, 'merged-away'])
})

describe('the context of a grant whose patient was merged into another', () => {
  const scope = 'launch/patient openid offline_access patient/*.rs'
  const linked = (id: string, type: 'replaced-by' | 'seealso' = 'replaced-by') => ({
    link: [{ type, other: { reference: `Patient/${id}` } }],
  })

  /** An app is let in for a patient; then this is what became of their record. */
  async function refreshedAfter(patientId: string, record: Partial<Patient>) {
    const went: Patient = { resourceType: 'Patient', id: patientId, name: [{ family: 'Zubrowka' }] }
    auth.fhir.stored.push(went)
    const app = new SmartApp(auth)
    const code = await app.codeFor(patientId, { scope }, await signedIn('clinician'))
    const { refresh_token: token, patient } = (await (await app.exchange(code)).json()) as Tokens
    expect(patient).toBe(patientId)
    auth.fhir.stored.splice(auth.fhir.stored.indexOf(went), 1, { ...went, ...record })
    const refreshed = await app.refresh(token)
    return { app, token, status: refreshed.status, told: (await refreshed.json()) as Partial<Tokens> }
  }

  it('is neither of the two: the refresh is refused, the grant ends, and who asks again is led to the other', async () => {
    const { app, token, status, told } = await refreshedAfter('went-1', { active: false, ...linked('amina-diallo') })
    expect([status, told]).toEqual([
      400,
      { error: 'invalid_grant', error_description: expect.stringContaining('merged into another') },
    ])
    expect(await app.isActive(token)).toBe(false)
    const [ended] = await auth.database.many(
      sql`select reason, subject, patient from auth.audit_events where event = 'grant revoked' and patient = 'went-1'`,
    )
    expect(ended).toEqual({ reason: 'its patient was merged into another', subject: 'dr-amara', patient: 'went-1' })
    const again = await app.codeFor('went-1', { scope }, await signedIn('clinician'))
    expect(await (await app.exchange(again)).json()).toMatchObject({ patient: 'amina-diallo' })
  })

  it.each<[string, string, Partial<Patient>]>([
    ['only out of use', 'went-2', { active: false }],
    ['one that leads to nobody', 'went-3', { active: false, ...linked('nobody-there') }],
    ['linked to another of the same person', 'went-4', linked('amina-diallo', 'seealso')],
  ])('stays with a record that is %s', async (_what, id, record) => {
    expect(await refreshedAfter(id, record)).toMatchObject({ status: 200, told: { patient: id, scope } })
  })

  it.each<[string, boolean | number]>([
    ['cannot be reached', true],
    ['knows nobody', 401],
    ['lets nobody read', 403],
    ['has too much to do', 429],
    ['is broken', 500],
  ])('stays while the store does not say: it %s', async (_how, outage) => {
    const app = new SmartApp(auth)
    const code = await app.codeFor('kofi-mensah', { scope }, await signedIn('clinician'))
    const { refresh_token: token } = (await (await app.exchange(code)).json()) as Tokens
    auth.fhir.outage.is = outage
    const refreshed = await app.refresh(token)
    auth.fhir.outage.is = false
    expect([refreshed.status, ((await refreshed.json()) as Tokens).patient]).toEqual([200, 'kofi-mensah'])
  })
})

describe('who is neither a patient nor staff', () => {
  it.each(['somebody', 'trainee'])(
    'goes back to the app without a patient, past a picker that is closed to %s',
    async (name) => {
      const browser = await signedIn(name)
      const tokens = await new SmartApp(auth).tokens({ scope: wanted }, browser)
      expect(tokens).toMatchObject({ patient: null, scope: 'openid offline_access' })
      const none = await new SmartApp(auth).authorize(browser, { scope: 'launch/patient patient/*.rs' })
      expect(answerOf(none).get('error')).toBe('invalid_scope')
    },
  )
})
