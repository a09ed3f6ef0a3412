import { expect, it } from 'vitest'
import { testCorridor } from '../../../packages/testkit/test-corridor.ts'
import { waitFor } from '../../../packages/testkit/wait-for.ts'
import { clinician, ConsentClient } from '../testing/consent-client.ts'

it('a record is found in the FHIR store under the address that its answer names, also after a change', async () => {
  await using corridor = await testCorridor({ services: ['auth', 'fhir', 'consent'] })
  const consents = new ConsentClient(corridor)
  const made = await consents.post('', clinician, { patientId: 'amina-diallo', provisionType: 'permit' })
  const address = /^<([^>]+)>/.exec(made.headers.get('link') ?? '')?.[1] ?? ''
  const authorization = await corridor.bearerFor({ role: 'SYSTEM' })
  const inStore = (status: string) =>
    waitFor(
      async () => {
        const answer = await fetch(address, { headers: { authorization, accept: 'application/fhir+json' } })
        const consent = (await answer.json()) as { status?: string }
        return consent.status === status && consent
      },
      { what: `a Consent that is ${status}`, deadlineMs: 15_000 },
    )
  expect(await inStore('active')).toMatchObject({
    resourceType: 'Consent',
    id: `consent-${made.body.id}`,
    patient: { reference: 'Patient/amina-diallo' },
    provision: { type: 'permit' },
  })
  await consents.post(`/${made.body.id}/revoke`, clinician)
  expect(await inStore('inactive')).toMatchObject({ id: `consent-${made.body.id}` })
})

it('nobody else changes the Consents of the records, those of the demo included, also where the services are apart', async () => {
  await using corridor = await testCorridor({ services: ['auth', 'fhir', 'consent'], apart: true })
  const authorization = await corridor.bearerFor({ role: 'SYSTEM' })
  const consents = `${corridor.url('fhir')}/Consent`
  const made = await new ConsentClient(corridor).post('', clinician, {
    patientId: 'amina-diallo',
    provisionType: 'permit',
  })
  const copies = await waitFor(
    async () => {
      const answer = await fetch(`${consents}?_count=1000`, { headers: { authorization } })
      const { entry = [] } = (await answer.json()) as { entry?: readonly { resource: { readonly id: string } }[] }
      const ids = entry.map(({ resource }) => resource.id)
      return ids.includes(`consent-${made.body.id}`) && ids.some((id) => id.startsWith('demo-opt-out-')) && entry
    },
    { what: 'the Consents of a record and of the demo', deadlineMs: 15_000 },
  )
  const refused = await Promise.all(
    copies.map(async ({ resource }) => {
      const headers = { authorization, 'content-type': 'application/fhir+json' }
      const body = JSON.stringify({ ...resource, identifier: undefined, status: 'rejected' })
      const answer = await fetch(`${consents}/${resource.id}`, { method: 'PUT', headers, body })
      return [answer.status, (await answer.text()).includes(`${corridor.url('consent')}/api/consent`)]
    }),
  )
  expect(refused).toEqual(copies.map(() => [403, true]))
})

it('a decision is found in the FHIR store as an AuditEvent of its patient, under the id that the answer names', async () => {
  await using corridor = await testCorridor({ services: ['auth', 'fhir', 'consent'] })
  const consents = new ConsentClient(corridor)
  const question = { patientId: 'Patient/amina-diallo', actorReference: 'Organization/elsewhere' }
  const { body } = await consents.evaluate({ ...question, resourceType: 'Observation' })
  const authorization = await corridor.bearerFor({ role: 'SYSTEM' })
  const query = `patient=amina-diallo&_tag=urn:corridor:audit-id|${String(body['decisionId'])}`
  const found = await waitFor(
    async () => {
      const answer = await fetch(`${corridor.url('fhir')}/AuditEvent?${query}`, { headers: { authorization } })
      const { entry } = (await answer.json()) as { entry?: readonly { readonly resource: object }[] }
      return entry
    },
    { what: 'the AuditEvent', deadlineMs: 15_000 },
  )
  expect(found.map(({ resource }) => resource)).toMatchObject([
    {
      outcome: body.permitted ? '0' : '8',
      agent: [{ requestor: true }, {}, { who: { reference: 'Organization/elsewhere' } }, {}],
    },
  ])
})

it('who recorded a consent, and who was shown it, is found in the FHIR store as AuditEvents of the patient', async () => {
  await using corridor = await testCorridor({ services: ['auth', 'fhir', 'consent'] })
  const consents = new ConsentClient(corridor)
  const headers = { 'x-request-id': 'who-recorded-it' }
  const body = { patientId: 'amina-diallo', provisionType: 'permit' }
  const { body: made } = await consents.call('POST', '', { as: clinician, body, headers })
  await consents.call('GET', `/${made.id}`, { as: clinician, headers })
  const authorization = await corridor.bearerFor({ role: 'SYSTEM' })
  const query = 'patient=amina-diallo&subtype=urn:corridor:consent-action|&_sort=date'
  const found = await waitFor(
    async () => {
      const answer = await fetch(`${corridor.url('fhir')}/AuditEvent?${query}`, { headers: { authorization } })
      const { entry } = (await answer.json()) as { entry?: readonly { readonly resource: object }[] }
      return entry?.length === 2 && entry
    },
    { what: 'the AuditEvents', deadlineMs: 15_000 },
  )
  const record = { what: { identifier: { value: String(made.id) } } }
  const who = { agent: [{ who: { identifier: { value: 'dr-amara' } }, requestor: true }, {}] }
  const entity = [{ what: { reference: 'Patient/amina-diallo' } }, record, {}]
  expect(found.map(({ resource }) => resource)).toMatchObject([
    { action: 'C', ...who, entity },
    { action: 'R', ...who, entity },
  ])
})
