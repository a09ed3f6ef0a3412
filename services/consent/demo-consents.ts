import type { ConsentDeps } from './deps.ts'
import { announceRecord } from './projection/announce.ts'
import type { ConsentRecord } from './record/consent-record.ts'
import { operationsOf } from './record/derive.ts'
import { insertRecord } from './store/records.ts'

type DemoConsent = Omit<ConsentRecord, 'id' | 'version' | 'createdAt' | 'updatedAt' | 'revokedAt'>

/**
 * The consents of the demo: each facility may write and look up for treatment, and one patient has opted out of
 * everything.
 */
export function demoConsents(): readonly DemoConsent[] {
  return [facilityPolicy('central-hospital'), facilityPolicy('lakeside-clinic'), optOut('kofi-mensah')]
}

type SeedDeps = Pick<ConsentDeps, 'database' | 'outbox' | 'recordIds' | 'clock' | 'settings'>

export async function seedDemoConsents(deps: SeedDeps): Promise<void> {
  for (const consent of demoConsents()) await addOnce(consent, deps)
}

/** In the demo a facility that is seen for the first time may send at once: anyone's sample message goes through. */
export async function permitFacility(organization: string, deps: SeedDeps): Promise<void> {
  await addOnce(facilityPolicy(organization.replace(/^Organization\//, '')), deps)
}

/** A record that is there, also one that somebody has changed since, is left alone. */
async function addOnce(consent: DemoConsent, deps: SeedDeps): Promise<void> {
  const now = deps.clock.now()
  const id = await deps.recordIds.next()
  const record = { ...consent, id, version: 1, createdAt: now, updatedAt: now, revokedAt: null }
  await deps.database.transaction(async (tx) => {
    if (await insertRecord(record, tx)) await announceRecord(record, tx, deps)
  })
}

const common = {
  classesFollow: false,
  periodStart: null,
  periodEnd: null,
  status: 'active',
  createdBy: 'admin',
} as const

/** Treatment also calls for deleting what was sent in error, and for looking up who is meant. */
function facilityPolicy(facility: string): DemoConsent {
  const scopeValues = ['system/*.cruds']
  return {
    ...common,
    fhirConsentId: `demo-policy-${facility}`,
    patientId: null,
    actorReference: `Organization/${facility}`,
    provisionType: 'permit',
    resourceClasses: [],
    scopeValues,
    permittedOperations: operationsOf(scopeValues),
    scopeContext: 'system',
    purposes: ['TREAT', 'ETREAT'],
    regulatoryBasis: 'Demo domain policy: treatment by the facility that sees the patient',
    note: null,
    organisationId: `Organization/${facility}`,
    isDomainPolicy: true,
  }
}

function optOut(patient: string): DemoConsent {
  return {
    ...common,
    fhirConsentId: `demo-opt-out-${patient}`,
    patientId: `Patient/${patient}`,
    actorReference: null,
    provisionType: 'deny',
    resourceClasses: [],
    scopeValues: [],
    permittedOperations: operationsOf([]),
    scopeContext: 'patient',
    purposes: [],
    regulatoryBasis: 'Opt-out by the patient',
    note: null,
    organisationId: 'Organization/central-hospital',
    isDomainPolicy: false,
  }
}
