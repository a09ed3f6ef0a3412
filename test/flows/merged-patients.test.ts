import { expect, it } from 'vitest'
import type { AuditEvent, Bundle, Consent, FhirResource, Patient, ServiceRequest } from '../../packages/fhir/r4.ts'
import { openHl7Sender } from '../../packages/testkit/hl7-sender.ts'
import { testCorridor } from '../../packages/testkit/test-corridor.ts'
import { waitFor } from '../../packages/testkit/wait-for.ts'
import { admin, clinician, ConsentClient } from '../../services/consent/testing/consent-client.ts'
import { AppVisitor } from '../../services/immunization/testing/app-visitor.ts'
import { amara, leastDraft, referralApi, type AnyBody } from '../../services/referral/testing/referral-api.ts'

interface Step {
  readonly action: string
  readonly reason: string | null
}

it.each([
  ['in one process', false],
  ['in processes of their own', true],
])('after an A40 refusals and referrals are those of the survivor, with services %s', async (_where, apart) => {
  await using corridor = await testCorridor({ services: ['auth', 'fhir', 'consent', 'referral', 'bridge'], apart })
  const headers = { authorization: await corridor.bearerFor({ role: 'SYSTEM', scope: 'system/*.cruds' }) }
  const find = async <T extends FhirResource>(query: string): Promise<T[]> => {
    const answer = await fetch(`${corridor.url('fhir')}/${query}`, { headers })
    const { entry = [] } = (await answer.json()) as Bundle<T>
    return entry.flatMap(({ resource }) => resource ?? [])
  }
  const soon = <T>(what: string, holds: () => Promise<T>) => waitFor(holds, { what, deadlineMs: 60_000 })

  const { port } = corridor.configuration.bridge.channels.adt
  await using his = await openHl7Sender({ host: '127.0.0.1', port })
  let sent = 0
  const send = async (type: string, ...segments: readonly string[]) => {
    const head = `MSH|^~\\&|PAS|CENTRAL|||20260304101${++sent}||${type}|MP-${sent}|P|2.5.1`
    expect(await his.send(`${[head, 'EVN||202603041010', ...segments].join('\r')}\r`)).toMatchObject({ ackCode: 'AA' })
  }
  const oldPid = 'PID|1||MP-1^^^CENTRAL^MR||Okafor^Ngozi||19620213|F'
  const survivorPid = 'PID|1||MP-2^^^CENTRAL^MR||Tamm^Liisa||19710930|F'
  await send('ADT^A28', oldPid)
  await send('ADT^A28', survivorPid)
  const idOf = async (number: string) => (await find<Patient>(`Patient?identifier=${number}`))[0]?.id ?? 'nobody'
  const [old, survivor] = [await idOf('MP-1'), await idOf('MP-2')]

  const allergy = { resourceType: 'AllergyIntolerance', id: 'mp-allergy', patient: { reference: `Patient/${old}` } }
  const clinicalStatus = {
    coding: [{ system: 'http://terminology.hl7.org/CodeSystem/allergyintolerance-clinical', code: 'active' }],
  }
  await fetch(`${corridor.url('fhir')}/AllergyIntolerance/mp-allergy`, {
    method: 'PUT',
    headers: { ...headers, 'content-type': 'application/fhir+json' },
    body: JSON.stringify({ ...allergy, clinicalStatus }),
  })
  const consents = new ConsentClient(corridor)
  const actorReference = 'Organization/lakeside-clinic'
  const refusal = await consents.post('', clinician, { patientId: old, provisionType: 'deny', actorReference })
  await soon('the refusal in the record', async () => (await find<Consent>(`Consent?patient=${old}`)).length > 0)
  const referrals = referralApi(corridor)
  const { body: referral } = await referrals('POST /api/referrals', amara, {
    ...leastDraft,
    patientId: `Patient/${old}`,
  })
  const ask = async (patientId: string) =>
    (await consents.evaluate({ patientId, actorReference, resourceType: 'Observation' })).body
  expect(await ask(survivor)).toMatchObject({ outcome: 'PERMIT' })

  await send('ADT^A40', survivorPid, 'MRG|MP-1^^^CENTRAL^MR')
  const denied = { outcome: 'DENY', consentRecordId: refusal.body.id }
  await soon('the refusal of the survivor', async () => (await ask(survivor))['outcome'] === 'DENY')
  expect(await ask(survivor)).toMatchObject(denied)
  expect(await ask(old)).toMatchObject(denied)

  for (const subject of [old, survivor]) {
    const own = await consents.get(`/patient/${survivor}`, { role: 'PATIENT', subject })
    expect(JSON.parse(own.text)).toMatchObject([{ id: refusal.body.id, patientId: `Patient/${survivor}` }])
  }
  expect((await consents.get(`/patient/${survivor}`, { role: 'PATIENT', subject: 'kofi-mensah' })).status).toBe(403)
  const asKnown = { patientId: old, note: 'As she said.' }
  expect((await consents.put(`/${refusal.body.id}`, clinician, asKnown)).status).toBe(200)

  const listed = async (id: string, subject: string) =>
    (await referrals<AnyBody[]>(`GET /api/referrals/patient/${id}`, { role: 'PATIENT', subject })).body
  await soon('the referral at the survivor', async () => (await listed(survivor, survivor)).length > 0)
  for (const subject of [old, survivor]) {
    expect(await listed(old, subject)).toMatchObject([{ id: referral.id, patientId: `Patient/${survivor}` }])
    expect(await listed(survivor, subject)).toHaveLength(1)
    const { status } = await referrals(`GET /api/referrals/${referral.id}`, { role: 'PATIENT', subject })
    expect(status).toBe(200)
  }
  const late = await referrals<{ patientId: string }>('POST /api/referrals', amara, {
    ...{ ...leastDraft, patientId: `Patient/${old}` },
  })
  expect(late.body.patientId).toBe(`Patient/${survivor}`)
  const { body: history } = await referrals<Step[]>(`GET /api/referrals/${referral.id}/history`, amara)
  const reason = `Patient/${old} was merged into Patient/${survivor}`
  expect(history).toMatchObject([{ action: 'create' }, { action: 'merge', reason }])

  await soon('the record at the survivor', async () => {
    const found = await Promise.all(
      ['Consent', 'AllergyIntolerance', 'ServiceRequest'].map((type) => find(`${type}?patient=${survivor}`)),
    )
    return found.every(({ length }) => length > 0)
  })
  expect(await find<ServiceRequest>(`ServiceRequest?patient=${old}`)).toEqual([])
  expect(await find<Consent>(`Consent?patient=${old}`)).toEqual([])
  for (const id of [old, survivor]) {
    const told = () => find<AuditEvent>(`AuditEvent?patient=${id}&altid=client:corridor-fhir`)
    await soon(`the move in the audit log of ${id}`, async () => (await told()).length > 0)
  }
  expect((await consents.get('/admin/audit/verify', admin)).body).toMatchObject({ broken: [] })
})

it('pages of either id are of the survivor, who is shown what was refused and referred under the other', async () => {
  await using corridor = await testCorridor({ services: ['auth', 'fhir', 'consent', 'referral'] })
  const headers = { authorization: await corridor.bearerFor({ role: 'SYSTEM', scope: 'system/*.cruds' }) }
  const referrals = referralApi(corridor)
  const draft = { ...leastDraft, patientId: 'Patient/kofi-mensah', referralDisplay: 'Heart clinic' }
  expect((await referrals('POST /api/referrals', amara, draft)).status).toBe(201)
  // In the demo he has opted out of everything.
  const link = [{ type: 'replaced-by', other: { reference: 'Patient/amina-diallo' } }]
  await fetch(`${corridor.url('fhir')}/Patient/kofi-mensah`, {
    method: 'PUT',
    headers: { ...headers, 'content-type': 'application/fhir+json' },
    body: JSON.stringify({ resourceType: 'Patient', id: 'kofi-mensah', active: false, link }),
  })
  const signedIn = async (name: string) => {
    const visitor = new AppVisitor(corridor)
    await visitor.signIn(name)
    return async (address: string) => (await visitor.follow(await visitor.get(address))).text()
  }
  const [clinicianSees, patientSees] = [await signedIn('clinician'), await signedIn('patient')]
  const optOut = 'Opt-out by the patient'
  const at = { consent: corridor.url('consent'), referral: corridor.url('referral') }
  const options = { what: 'the opt-out at the survivor', deadlineMs: 30_000 }
  await waitFor(async () => (await clinicianSees(`${at.consent}/patients/amina-diallo`)).includes(optOut), options)
  const old = await clinicianSees(`${at.consent}/patients/kofi-mensah`)
  expect(old).toContain(optOut)
  expect(old).toContain('Amina Diallo')
  expect(await clinicianSees(`${at.consent}/patients/kofi-mensah/new`)).toContain('Amina Diallo')
  expect(await patientSees(`${at.consent}/`)).toContain('id="consent-')
  await waitFor(async () => (await patientSees(`${at.referral}/`)).includes('Heart clinic'), {
    ...{ what: 'the referral on her page', deadlineMs: 30_000 },
  })
})

it('a refusal on an ordinary record reaches those that refer to it, also once it is one person with somebody else', async () => {
  await using corridor = await testCorridor({ services: ['auth', 'fhir', 'consent', 'bridge'], apart: true })
  const bearers = {
    system: await corridor.bearerFor({ role: 'SYSTEM', scope: 'system/*.cruds' }),
    admin: await corridor.bearerFor(admin),
  }
  const post = async (path: string, as: keyof typeof bearers, body: object = {}) => {
    const headers = { authorization: bearers[as], 'content-type': 'application/json' }
    const answer = await fetch(new URL(path, corridor.url('fhir')), {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    return (await answer.json()) as Readonly<Record<string, string>>
  }
  const headers = { authorization: bearers.system, 'content-type': 'application/fhir+json' }
  const numbered = (value: string) => [{ system: 'urn:ordinary', value }]
  const put = (id: string, more: object) =>
    fetch(`${corridor.url('fhir')}/Patient/${id}`, {
      ...{ method: 'PUT', headers },
      body: JSON.stringify({ resourceType: 'Patient', id, active: true, ...more }),
    })
  const people = [
    { id: 'or-refuses', name: [{ family: 'Eriksen' }], birthDate: '1950-11-28', identifier: numbered('OR-1') },
    { id: 'or-other', name: [{ family: 'Quispe' }], birthDate: '1991-01-05', identifier: numbered('OR-2') },
  ]
  for (const { id, ...one } of people) await put(id, one)

  const channels = corridor.configuration.bridge.channels
  let sent = 0
  const send = async (channel: 'adt' | 'oru', type: string, ...segments: readonly string[]) => {
    await using his = await openHl7Sender({ host: '127.0.0.1', port: channels[channel].port })
    const head = `MSH|^~\\&|PAS|LAKESIDE|||2026030411${10 + ++sent}||${type}|OR-${sent}|P|2.5.1`
    return (await his.send(`${[head, ...segments].join('\r')}\r`)).ackCode
  }
  const pid = (number: string, name: string) => `PID|1||${number}^^^LAKESIDE^MR||${name}|F`
  const own = pid('OR-HERE', 'Nordahl^Astrid||19330814')
  const third = pid('OR-THIRD', 'Amsalem^Rivka||19470303')
  for (const one of [own, third]) expect(await send('adt', 'ADT^A28', 'EVN||202603041110', one)).toBe('AA')
  const read = async (number: string) => {
    const answer = await fetch(`${corridor.url('fhir')}/Patient?identifier=${number}`, { headers })
    const { entry = [] } = (await answer.json()) as Bundle<Patient & { id: string }>
    return entry[0]?.resource
  }
  const here = await read('OR-HERE')
  const refers = [{ type: 'refer', other: { reference: 'Patient/or-refuses' } }]
  await put(here?.id ?? '', { ...here, link: refers })

  const result = () =>
    send('oru', 'ORU^R01', own, 'OBR|1||OR-F1|24323-8^^LN|||202603041100', 'OBX|1|NM|2345-7^^LN||5.1|mmol/L|||||F')
  expect(await result()).toBe('AA')
  const actorReference = 'Organization/lakeside-clinic'
  const refusal = { patientId: 'or-refuses', provisionType: 'deny', actorReference }
  expect((await new ConsentClient(corridor).post('', clinician, refusal)).status).toBe(201)
  expect(await result()).toBe('AR')

  /** A record has the numbers of both, and somebody says that they are one person. */
  const confirm = async (...identifier: readonly object[]) => {
    await post('/api/patient-index/resolve', 'system', { patients: [{ resourceType: 'Patient', identifier }] })
    const open = await fetch(new URL('/api/patient-index/reviews', corridor.url('fhir')), {
      headers: { authorization: bearers.admin },
    })
    const { content } = (await open.json()) as { content: readonly { id: string }[] }
    for (const { id } of content) await post(`/api/patient-index/reviews/${id}/confirm`, 'admin')
    return content.length
  }
  const registered = (await read('OR-THIRD'))?.identifier?.find(({ value }) => value === 'OR-THIRD')
  expect(await confirm(registered ?? {}, ...numbered('OR-1'))).toBe(1)
  expect(await result()).toBe('AR')
  expect(await confirm(...numbered('OR-2'), ...numbered('OR-1'))).toBe(1)
  expect(await result()).toBe('AR')
})
