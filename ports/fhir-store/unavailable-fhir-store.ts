import { unavailable } from '../../packages/faults/fault.ts'
import type { FhirStore } from './fhir-store.ts'

const no = async (): Promise<never> => {
  throw unavailable('There is no FHIR server.', { code: 'NO_FHIR_SERVER' })
}

/** Where there is no FHIR server: everything can be tried again later. */
export const unavailableFhirStore: FhirStore = {
  read: no,
  search: no,
  searchAll: no,
  searchBundle: no,
  findByIdentifiers: no,
  create: no,
  createUnlessFound: no,
  update: no,
  updateMatching: no,
  remove: no,
  transaction: no,
  capabilities: no,
}
