import { expect, it } from 'vitest'
import { loadDefinitions } from '../../packages/fhir/definitions.ts'
import type { Resource } from '../../packages/fhir/r4.ts'
import { silentLog } from '../../packages/log/log.ts'
import { ownDocuments } from './own-documents.ts'

it('a document of the record that was merged into the patient’s is theirs, before the store has caught up with it', async () => {
  const found = [
    { resourceType: 'DiagnosticReport', id: 'd1', subject: { reference: 'Patient/old' } },
    { resourceType: 'DiagnosticReport', id: 'd2', subject: { reference: 'Patient/new' } },
    { resourceType: 'DiagnosticReport', id: 'd3', subject: { reference: 'Patient/other' } },
  ]
  // Sound: whoever searches here searches for these.
  const search = async <T extends Resource>() => found as Resource[] as T[]
  const fhirUrl = 'http://localhost/fhir'
  const check = ownDocuments({ store: { search }, fhirUrl, definitions: await loadDefinitions(), log: silentLog })
  const supportingInfo = ['d1', 'd2', 'd3'].map((id) => `DiagnosticReport/${id}`)
  const outcomes = async (formerIds: readonly string[]) => {
    const checks = await check({ patientId: 'Patient/new', formerIds, supportingInfo }, new AbortController().signal)
    return checks.map(({ outcome }) => outcome)
  }
  expect(await outcomes([])).toEqual(['REFUSED', 'PERMITTED', 'REFUSED'])
  expect(await outcomes(['Patient/old'])).toEqual(['PERMITTED', 'PERMITTED', 'REFUSED'])
})
