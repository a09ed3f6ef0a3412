import type { DeclaredClient } from './registration/client-fields.ts'
import { declareClients, declareUsers } from './registration/declare.ts'
import type { DeclaredUser } from './registration/user-fields.ts'
import { demoPasswordHash, demoSecretHash } from './secrets/demo-hashes.ts'

/** The people of the demo. Everybody's password is `demo`. */
export function demoUsers(passwordHash = demoPasswordHash): readonly DeclaredUser[] {
  return declareUsers(
    [
      person('clinician', 'Dr Amara Okafor', 'Practitioner/dr-amara', 'CLINICIAN', 'Organization/central-hospital'),
      person('clinician2', 'Dr Baraka Mwangi', 'Practitioner/dr-baraka', 'CLINICIAN', 'Organization/lakeside-clinic'),
      person('admin', 'Adisa Bello', 'Practitioner/admin', 'ADMIN', 'Organization/central-hospital'),
      person('patient', 'Amina Diallo', 'Patient/amina-diallo', 'PATIENT'),
    ].map((user) => ({ ...user, passwordHash })),
  )
}

const anyApp =
  'openid fhirUser profile launch launch/patient launch/encounter offline_access online_access patient/*.cruds user/*.cruds'
const tryingOut = ['http://localhost:3000/callback', 'http://127.0.0.1:3000/callback']
const confidential = ['client_secret_basic', 'client_secret_post']
const everything = 'system/*.read system/*.write'

/** The apps and service accounts of the demo. Every secret is `demo`. */
export function demoClients(immunizationUrl: string): readonly DeclaredClient[] {
  return declareClients([
    {
      clientId: 'immunization-app',
      clientName: 'Immunizations',
      redirectUris: [`${immunizationUrl}/callback`],
      launchUri: `${immunizationUrl}/launch`,
      scope: anyApp,
      isFirstParty: true,
    },
    {
      clientId: 'demo-app',
      clientName: 'Demo app',
      redirectUris: tryingOut,
      launchUri: 'http://localhost:3000/launch',
      scope: anyApp,
      isFirstParty: true,
    },
    {
      clientId: 'demo-confidential',
      clientName: 'Confidential demo app',
      redirectUris: tryingOut,
      launchUri: 'http://127.0.0.1:3000/launch',
      scope: anyApp,
      authMethods: confidential,
      clientSecretHash: demoSecretHash,
    },
    service('svc-bridge', 'Integration bridge', ['SYSTEM'], everything),
    service('svc-referral', 'Referral service', ['SYSTEM'], everything),
    service(
      'svc-consent',
      'Consent service',
      ['SYSTEM'],
      'system/Consent.cruds system/AuditEvent.cs system/Organization.rs system/Patient.rs',
    ),
    service('svc-admin', 'Administration', ['ADMIN'], everything),
    service('svc-monitor', 'Monitoring', [], 'system/*.read'),
    service(
      'lakeside-clinic',
      'Lakeside Clinic',
      ['CLINICIAN'],
      'system/ServiceRequest.rs system/Task.rs',
      'Organization/lakeside-clinic',
    ),
  ])
}

function person(username: string, displayName: string, fhirUser: string, role: string, organisation?: string) {
  const place = organisation === undefined ? {} : { organisation }
  return { username, displayName, fhirUser, roles: [role], ...place }
}

function service(clientId: string, clientName: string, roles: string[], scope: string, organisation?: string) {
  return {
    ...{ clientId, clientName, roles, scope, clientSecretHash: demoSecretHash, isFirstParty: true },
    grantTypes: ['client_credentials'],
    authMethods: confidential,
    ...(organisation === undefined ? {} : { organisation }),
  }
}
