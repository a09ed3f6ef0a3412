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
