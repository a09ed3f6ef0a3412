import type { AuditedAccess, AuditedCaller } from '../audited-access.ts'

export const clinician: AuditedCaller = {
  clientId: 'demo-app',
  subject: 'dr-amara',
  fhirUser: 'Practitioner/dr-amara',
  roles: new Set(['CLINICIAN']),
  patient: undefined,
  tokenId: 'token-1',
}

export const program: AuditedCaller = {
  clientId: 'svc-bridge',
  subject: 'client:svc-bridge',
  fhirUser: undefined,
  roles: new Set(['SYSTEM']),
  patient: undefined,
  tokenId: 'token-2',
}

/** A good read by a clinician, but for what is given. */
export const accessOf = (given: Partial<AuditedAccess> = {}): AuditedAccess => ({
  at: new Date('2026-03-04T05:06:07.890Z'),
  interaction: 'read',
  outcome: { kind: 'success' },
  caller: clinician,
  requestId: 'request-1',
  peer: '127.0.0.1',
  touched: [{ type: 'Observation', id: 'glucose', version: 1 }],
  ...given,
})
