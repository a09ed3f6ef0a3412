import { expect, it } from 'vitest'
import type { FhirStore } from '../../../ports/fhir-store/fhir-store.ts'
import { facilityDirectory } from '../facilities.ts'
import type { TaskStatus } from '../transitions.ts'
import { otherFacilities } from './other-facilities.ts'

const names = ['central', 'hill', 'lakeside', 'river'] as const
const store = {
  searchAll: async () => names.map((id) => ({ resourceType: 'Organization', id, name: `The ${id}` })),
} as unknown as FhirStore
const facilities = facilityDirectory([
  { clientId: 'hill-app', organisation: 'Organization/hill', phone: undefined, email: undefined, webhook: undefined },
])

const task = (id: string, status: TaskStatus, performerId: string | null = `Organization/${id}`) => ({
  ...{ receivingFacilityClientId: id, performerId, status },
})

it('offers to ask others than the last, and marks those that turned it down before', async () => {
  const tasks = [task('hill-app', 'REJECTED', null), task('river', 'CANCELLED'), task('lakeside', 'REJECTED')]
  const referral = { receivingFacilityClientId: 'lakeside', performerId: 'Organization/lakeside' }
  expect(await otherFacilities({ referral, tasks }, 'Organization/central', { store, facilities })).toEqual([
    { value: 'hill-app Organization/hill', label: 'The hill (turned it down)' },
    { value: 'river Organization/river', label: 'The river' },
  ])
})
