import { expect, it } from 'vitest'
import { bug, forbidden } from '../../../../packages/faults/fault.ts'
import type { FhirStore } from '../../../../ports/fhir-store/fhir-store.ts'
import { unavailableFhirStore } from '../../../../ports/fhir-store/unavailable-fhir-store.ts'
import type { Alert } from '../../coordination/store/alerts.ts'
import { alertTexts } from './alert-texts.ts'

const at = new Date('2026-03-04T10:15:00Z')
const alert: Alert = {
  ...{ id: '0190', patient: 'Patient/amara', resource: 'Observation/potassium', transactionId: 'TX-1', raisedAt: at },
  ...{ escalations: 0, escalateAt: null, acknowledgedAt: null, acknowledgedBy: null },
}
const told = (store: FhirStore, alerts = [alert]) =>
  alertTexts(alerts, { store, now: at, signal: new AbortController().signal })

const answering = (answer: (type: string) => unknown): FhirStore => ({
  ...unavailableFhirStore,
  // Sound: each test answers with what is asked for.
  search: async (type) => answer(type) as never,
})

it('asks once for all patients and once for all results', async () => {
  const asked: string[] = []
  const store: FhirStore = {
    ...unavailableFhirStore,
    search: async (type, { _id }) => {
      asked.push(`${type} ${String(_id)}`)
      return []
    },
  }
  await told(store, [alert, { ...alert, resource: 'Observation/glucose' }, alert])
  expect(asked).toEqual(['Patient amara', 'Observation potassium,glucose'])
  expect(await told(unavailableFhirStore, [])).toEqual({ patients: new Map(), results: new Map() })
})

it('says nothing while the store is away', async () => {
  expect(await told(unavailableFhirStore)).toBeUndefined()
})

it('says nothing of what the reader may not see', async () => {
  const closed = answering(() => {
    throw forbidden('No.')
  })
  expect(await told(closed)).toEqual({ patients: new Map(), results: new Map() })
})

it('does not hide a bug', async () => {
  const broken = answering(() => {
    throw bug('broken')
  })
  await expect(told(broken)).rejects.toThrow('broken')
})
