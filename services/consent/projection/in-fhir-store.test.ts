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
