import { describe, expect, it } from 'vitest'
import type { Role } from '../../packages/tokens/caller.ts'
import { availableActions, availableMoves } from './available-actions.ts'
import { facilityDirectory } from './facilities.ts'
import type { PartyRules } from './party-rules.ts'
import type { CountedReferral, ReferralTask } from './referral.ts'
import { callBy } from './testing/referral-deps.ts'
import type { ReferralStatus, TaskStatus } from './transitions.ts'

const requester = callBy('dr-amara', 'Organization/central').caller
const receiver = callBy('dr-baraka', 'Organization/lakeside').caller
const stranger = callBy('dr-chidi', 'Organization/hill').caller

describe('what can be done to a referral', () => {
  it.each<[ReferralStatus, number, string[]]>([
    ['DRAFT', 0, ['send', 'revoke', 'change']],
    ['ACTIVE', 1, ['hold', 'revoke']],
    ['ACTIVE', 0, ['hold', 'revoke', 'reroute']],
    ['ONHOLD', 1, ['resume', 'revoke']],
    ['COMPLETED', 0, ['revoke']],
    ['REVOKED', 0, []],
  ])('that is %s with %s open tasks: %j', (status, openTasks, expected) => {
    expect(availableActions(referralWith({ status, openTasks }), requester, by('parties'))).toEqual(expected)
  })

  it.each<[string, PartyRules, typeof requester, string[]]>([
    ['the requester', 'strict', requester, ['send', 'revoke', 'change']],
    ['the receiver, whose step none of it is', 'strict', receiver, []],
    ['the receiver, where either side may act, but not on what is written', 'parties', receiver, ['send', 'revoke']],
    ['a stranger', 'parties', stranger, []],
    ['a stranger, where the role is enough', 'off', stranger, ['send', 'revoke', 'change']],
  ])('by %s under the rule %s', (_who, rules, caller, expected) => {
    expect(availableActions(referralWith({ status: 'DRAFT' }), caller, by(rules))).toEqual(expected)
  })

  it.each<[Role[], boolean]>([
    [['CLINICIAN'], true],
    [['ADMIN'], true],
    [['SYSTEM'], false],
    [['PATIENT'], false],
    [[], false],
  ])('with the roles %j, and to its tasks: %s', (roles, expected) => {
    const caller = { ...requester, roles: new Set(roles) }
    expect(availableActions(referralWith({}), caller, by('off')).length > 0).toBe(expected)
    expect(availableMoves(taskIn('REQUESTED'), referralWith({}), caller, by('off')).length > 0).toBe(expected)
  })
})

describe('where a task can go', () => {
  it.each<[TaskStatus, string, TaskStatus[], TaskStatus[]]>([
    ['REQUESTED', 'ACTIVE', ['RECEIVED', 'CANCELLED'], ['CANCELLED']],
    ['INPROGRESS', 'ACTIVE', ['COMPLETED', 'ONHOLD', 'FAILED'], ['ONHOLD']],
    ['ONHOLD', 'ACTIVE', ['INPROGRESS', 'CANCELLED'], ['INPROGRESS', 'CANCELLED']],
    ['COMPLETED', 'ACTIVE', [], []],
    ['REQUESTED', 'ONHOLD', [], []],
    ['REQUESTED', 'REVOKED', [], []],
  ])('from %s while its referral is %s', (status, referralStatus, forReceiver, forRequester) => {
    const referral = referralWith({ status: referralStatus as ReferralStatus })
    expect(availableMoves(taskIn(status), referral, receiver, by('strict'))).toEqual(forReceiver)
    expect(availableMoves(taskIn(status), referral, requester, by('strict'))).toEqual(forRequester)
  })
})

const by = (partyRules: PartyRules) => ({ partyRules, facilities: facilityDirectory([]) })

function referralWith(given: Partial<CountedReferral>): CountedReferral {
  const at = new Date('2026-01-01T00:00:00Z')
  return {
    ...{ id: 1, version: 1, status: 'ACTIVE', openTasks: 1, createdAt: at, updatedAt: at, authoredOn: null },
    ...{ patientId: 'Patient/p1', requesterId: 'Practitioner/amara', createdBy: 'dr-amara', sendingClientId: 'app' },
    ...{ sendingOrganisation: 'Organization/central', receivingFacilityClientId: 'lakeside-client' },
    ...{ performerId: 'Organization/lakeside', referralCode: null, referralDisplay: null, priority: 'ROUTINE' },
    ...{ reasonCodes: [], clinicalNote: null, sharedResourceTypes: [], supportingInfo: [], occurrenceDate: null },
    ...{ statusReason: null, consentVerified: true, attention: null, heldAt: null },
    ...given,
  }
}

function taskIn(status: TaskStatus): ReferralTask {
  const at = new Date('2026-01-01T00:00:00Z')
  return {
    ...{ id: 1, referralId: 1, status, receivingFacilityClientId: 'lakeside-client', performerId: null, note: null },
    ...{ rejectionReason: null, acceptBy: at, overdueAt: null, createdAt: at, updatedAt: at, version: 1 },
  }
}
