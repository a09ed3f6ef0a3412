import { describe, expect, it } from 'vitest'
import { loadDefinitions } from '../../../packages/fhir/definitions.ts'
import { printScopes } from '../../../packages/smart/print.ts'
import { servableScopes } from '../servable-scopes.ts'
import type { Client } from '../store/clients.ts'
import type { User } from '../store/users.ts'
import { negotiateScope, type Circumstances } from './negotiate-scope.ts'

const isServable = servableScopes(await loadDefinitions())

// Sound: these are the only members that negotiation looks at.
const client = {
  scope: 'openid offline_access launch launch/patient launch/encounter patient/*.rs user/*.rs system/*.rs',
} as Client
const clinician = { fhirUser: 'Practitioner/dr-amara', roles: ['CLINICIAN'] } as Partial<User> as User
const patient = { fhirUser: 'Patient/amina-diallo', roles: ['PATIENT'] } as Partial<User> as User
const parent = { fhirUser: 'RelatedPerson/mother', roles: ['PATIENT'] } as Partial<User> as User
const administrator = { fhirUser: 'Practitioner/admin', roles: ['ADMIN'] } as Partial<User> as User
const patientOnStaff = { fhirUser: 'Patient/amina-diallo', roles: ['CLINICIAN'] } as Partial<User> as User

const contextual = 'launch launch/patient launch/encounter patient/*.rs'
const withoutEncounter = 'launch launch/patient patient/*.rs'
const everything: Circumstances = { hasPatient: true, hasEncounter: true, isLaunched: true }
const nothing: Circumstances = { hasPatient: false, hasEncounter: false, isLaunched: false }

describe('negotiating scopes', () => {
  it.each<[string, string, User, Circumstances, string]>([
    ['what is registered', 'openid patient/Patient.rs', clinician, everything, 'openid patient/Patient.rs'],
    ['no more than is registered', 'patient/Patient.cruds', clinician, everything, 'patient/Patient.rs'],
    ['never what belongs to service accounts', 'openid system/*.rs', clinician, everything, 'openid'],
    ['user scopes of a clinician, also without a patient', 'openid user/*.rs', clinician, nothing, 'openid user/*.rs'],
    ['everything that the context holds up', contextual, clinician, everything, contextual],
    ['a launch without an encounter', contextual, clinician, { ...everything, hasEncounter: false }, withoutEncounter],
    [
      'an encounter without a launch',
      'launch/encounter',
      clinician,
      { ...nothing, hasEncounter: true },
      'launch/encounter',
    ],
    ['no user scope of a patient', 'openid user/*.rs patient/*.rs', patient, everything, 'openid patient/*.rs'],
    ['no user scope of a relative', 'openid user/*.rs', parent, everything, 'openid'],
    ['no relative without a login', 'openid offline_access patient/*.rs', parent, everything, 'openid patient/*.rs'],
    ['offline access of a patient', 'openid offline_access', patient, everything, 'openid offline_access'],
    ['user scopes of an administrator', 'openid user/*.rs', administrator, nothing, 'openid user/*.rs'],
    ['no user scope of a patient who works here', 'openid user/*.rs', patientOnStaff, everything, 'openid'],
    ['no patient scope without a patient', 'openid patient/*.rs launch/patient', clinician, nothing, 'openid'],
    ['no launch without a launch', 'openid launch launch/encounter', clinician, nothing, 'openid'],
    ['nothing of other worlds', 'openid launch/questionnaire?role=x', clinician, everything, 'openid'],
    ['nothing of types that R4 lacks', 'openid patient/Nonsense.rs', clinician, everything, 'openid'],
    ['nothing by what is not searched', 'openid patient/Observation.rs?foo=bar', clinician, everything, 'openid'],
    ['no letters out of order', 'openid patient/*.sr', clinician, everything, 'openid'],
    ['version 1 as version 1', 'patient/Patient.read', clinician, everything, 'patient/Patient.read'],
  ])('grants %s', (_what, wanted, user, circumstances, granted) => {
    expect(printScopes(negotiateScope(wanted, client, user, circumstances, isServable))).toBe(granted)
  })
})
