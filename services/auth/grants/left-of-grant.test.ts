import { describe, expect, it } from 'vitest'
import { printScopes } from '../../../packages/smart/print.ts'
import type { Client } from '../store/clients.ts'
import type { GrantInToken, UserInToken } from '../store/grant-and-user.ts'
import { isUnfounded, leftOf } from './left-of-grant.ts'

// Sound: these are the only members that are looked at.
const client = {
  scope: 'openid offline_access online_access launch launch/patient launch/encounter patient/*.rs user/*.rs',
} as Client
const user = (fhirUser: string, role: string) =>
  ({ fhirUser, subject: fhirUser.split('/')[1], roles: [role] }) as unknown as UserInToken
const grant = (scope: string, patient: string | null = 'kofi', encounter: string | null = null): GrantInToken => ({
  ...{ id: 'g', signedInAt: new Date(0) },
  ...{ scope, patient, encounter },
})

const contextual = 'openid launch launch/patient launch/encounter patient/*.rs'

describe('what is left of a grant', () => {
  it.each<[string, UserInToken, string | null, string]>([
    ['a clinician has whom they chose', user('Practitioner/doc', 'CLINICIAN'), 'kofi', contextual],
    ['an administrator, too', user('Practitioner/doc', 'ADMIN'), 'kofi', contextual],
    ['who works here no more has nobody', user('Practitioner/doc', 'PATIENT'), null, 'openid'],
    ['nor has a person without a record', user('Person/doc', 'PATIENT'), null, 'openid'],
    ['a patient has their own record', user('Patient/kofi', 'PATIENT'), 'kofi', contextual],
    ['and nobody else', user('Patient/amina', 'PATIENT'), null, 'openid'],
    ['unless they work here: the portal is open to them', user('Patient/amina', 'CLINICIAN'), 'kofi', contextual],
    ['a relative has the one beside whom they stand', user('RelatedPerson/mother', 'PATIENT'), 'kofi', contextual],
  ])('%s', (_what, who, patient, scope) => {
    const left = leftOf(grant(contextual, 'kofi', 'visit'), client, who)
    expect(left.grant).toMatchObject({ patient, encounter: patient === null ? null : 'visit' })
    expect(printScopes(left.scopes)).toBe(scope)
  })

  const clinician = user('Practitioner/doc', 'CLINICIAN')
  it('is nobody for whom nobody was chosen, whoever could choose one', () => {
    const left = leftOf(grant(contextual, null), client, clinician)
    expect([left.grant, printScopes(left.scopes)]).toEqual([grant(contextual, null), 'openid'])
  })

  const former = user('Practitioner/doc', 'PATIENT')
  it.each<[string, string, boolean]>([
    ['launch/patient offline_access patient/*.rs', 'offline_access', true],
    ['launch/patient online_access patient/*.rs', 'online_access', true],
    ['launch/patient patient/*.rs', '', true],
    ['openid launch/patient offline_access patient/*.rs', 'openid offline_access', false],
    ['offline_access', 'offline_access', false],
    ['online_access', 'online_access', false],
  ])('of %s is "%s", and that it is too little to live on: %s', (scope, scopes, unfounded) => {
    const left = leftOf(grant(scope), client, former)
    expect([printScopes(left.scopes), isUnfounded(left, grant(scope))]).toEqual([scopes, unfounded])
  })

  it.each([
    ['openid offline_access', 'openid', true],
    ['offline_access user/*.rs', 'user/*.rs', true],
    ['online_access', 'openid', true],
    ['openid online_access', 'openid', false],
  ])('of %s under a registration of %s is too little: %s', (scope, registered, unfounded) => {
    const left = leftOf(grant(scope), { ...client, scope: registered }, clinician)
    expect(isUnfounded(left, grant(scope))).toBe(unfounded)
  })
})
