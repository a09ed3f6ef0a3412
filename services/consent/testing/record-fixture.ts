import type { AccessRequest } from '../access-request.ts'
import type { ConsentRecord } from '../record/consent-record.ts'
import { operationsOf } from '../record/derive.ts'

/** A permit of one patient for everything and everybody, but for what a test says. */
export function recordWith(given: Partial<ConsentRecord> = {}): ConsentRecord {
  const scopeValues = given.scopeValues ?? []
  const id = given.id ?? 1
  return {
    id,
    version: 1,
    fhirConsentId: `consent-${id}`,
    patientId: 'Patient/p1',
    actorReference: null,
    provisionType: 'permit',
    resourceClasses: [],
    classesFollow: false,
    permittedOperations: operationsOf(scopeValues),
    periodStart: null,
    periodEnd: null,
    scopeContext: 'patient',
    purposes: [],
    regulatoryBasis: null,
    note: null,
    organisationId: null,
    status: 'active',
    isDomainPolicy: false,
    createdBy: 'dr-amara',
    createdAt: new Date('2026-01-01T00:00:00Z'),
    updatedAt: new Date('2026-01-01T00:00:00Z'),
    revokedAt: null,
    ...given,
    scopeValues,
  }
}

export function requestWith(given: Partial<AccessRequest> = {}): AccessRequest {
  return {
    patientId: 'Patient/p1',
    actorReferences: ['Organization/central'],
    resourceType: 'Observation',
    operation: 'READ',
    purposeOfUse: 'TREAT',
    ...given,
  }
}
