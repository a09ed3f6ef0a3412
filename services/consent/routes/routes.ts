import { changeConsent } from './change-consent.ts'
import { createConsent } from './create-consent.ts'
import { evaluateConsent } from './evaluate-consent.ts'
import { getConsentByFhirId } from './get-consent-by-fhir-id.ts'
import { getConsent } from './get-consent.ts'
import { listOrganisationConsents } from './list-organisation-consents.ts'
import { listPatientConsents } from './list-patient-consents.ts'
import { revokeConsent } from './revoke-consent.ts'
import { stats } from './stats.ts'
import { verifyAudit } from './verify-audit.ts'

/** The endpoints in the order of the specification; the last one is an addition. */
export const consentRoutes = [
  createConsent,
  getConsent,
  getConsentByFhirId,
  ...listPatientConsents,
  changeConsent,
  revokeConsent,
  evaluateConsent,
  stats,
  ...listOrganisationConsents,
  verifyAudit,
]
