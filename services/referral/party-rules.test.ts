import { describe, expect, it } from 'vitest'
import type { Caller, Role } from '../../packages/tokens/caller.ts'
import { facilityDirectory } from './facilities.ts'
import { mayAct, ownersOf, ownersOfTaskMove, partyRules, sidesOf, type PartyRules, type Side } from './party-rules.ts'

const referral = {
  createdBy: 'dr-amara',
  requesterId: 'Practitioner/dr-amara',
  sendingOrganisation: 'Organization/central',
  receivingFacilityClientId: 'lakeside-client',
  performerId: 'Organization/lakeside',
}

const nobody = { webhook: undefined, phone: undefined, email: undefined }
const facilities = facilityDirectory([
  { clientId: 'lakeside-client', organisation: 'Organization/lakeside-group', ...nobody },
  { clientId: 'lakeside-archive', organisation: 'Organization/lakeside-group', ...nobody },
  { clientId: 'hill', organisation: undefined, ...nobody },
  { clientId: 'central-ehr', organisation: 'Organization/central', ...nobody },
])

const creator = caller({ subject: 'dr-amara', organisation: 'Organization/central' })
const colleague = caller({ subject: 'dr-adisa', organisation: 'Organization/central' })
const receiver = caller({ subject: 'dr-baraka', organisation: 'Organization/lakeside' })
const receiverByConfiguration = caller({ subject: 'dr-b', organisation: 'Organization/lakeside-group' })
const receiverAccount = caller({ subject: 'client:lakeside-client', clientId: 'lakeside-client' })
const otherReceiverAccount = caller({ subject: 'client:lakeside-archive', clientId: 'lakeside-archive' })
const senderAccount = caller({ subject: 'client:central-ehr', clientId: 'central-ehr' })
const referring = caller({ subject: 'amara', organisation: 'Organization/abroad', fhirUser: 'Practitioner/dr-amara' })
const stranger = caller({ subject: 'dr-chidi', organisation: 'Organization/hill' })
const strangerInTheirApp = caller({ ...stranger, clientId: 'lakeside-client' })
const strangerAccount = caller({ subject: 'client:hill', clientId: 'hill' })
const placeless = caller({ subject: 'dr-plain' })
const administrator = caller({ subject: 'admin', organisation: 'Organization/hill', role: 'ADMIN' })

describe('the sides of a caller', () => {
  it.each<[string, Caller, Side[]]>([
    ['its creator', creator, ['requester']],
    ["a colleague of its creator's", colleague, ['requester']],
    ["somebody of the performer's", receiver, ['receiver']],
    [
      'somebody of the organisation that the configuration names for the client id',
      receiverByConfiguration,
      ['receiver'],
    ],
    ["the receiving facility's service account", receiverAccount, ['receiver']],
    [
      "the receiving facility's service account, whose token names another organisation",
      { ...receiverAccount, organisation: 'Organization/abroad' },
      ['receiver'],
    ],
    ["another service account of the receiving facility's", otherReceiverAccount, ['receiver']],
    ["the sending facility's service account", senderAccount, ['requester']],
    ['the referring clinician, wherever they work', referring, ['requester']],
    ['somebody else', stranger, []],
    ["somebody else who uses the receiving facility's app", strangerInTheirApp, []],
  ])('%s', (_name, who, expected) => {
    expect([...sidesOf(who, referral, facilities)]).toEqual(expected)
  })

  it('is both for who stands on both', () => {
    const atReceiver = caller({ subject: 'dr-amara', organisation: 'Organization/lakeside' })
    expect([...sidesOf(atReceiver, referral, facilities)]).toEqual(['requester', 'receiver'])
  })

  it('is none for a caller without organisation where the referral has none either', () => {
    const sent = { ...referral, sendingOrganisation: null, performerId: null }
    expect([...sidesOf(placeless, sent, facilities)]).toEqual([])
  })

  describe('of what a program has written, with a token that names no organisation', () => {
    const written = { ...referral, createdBy: 'client:central-ehr', sendingOrganisation: null }
    it.each<[string, Caller, Side[]]>([
      ['the program', senderAccount, ['requester']],
      ['a clinician of the facility whose program it is', colleague, ['requester']],
      ['somebody of the receiver', receiver, ['receiver']],
      ['somebody else', stranger, []],
      ['a service account of somebody else', strangerAccount, []],
    ])('%s', (_name, who, expected) => {
      expect([...sidesOf(who, written, facilities)]).toEqual(expected)
    })

    it('are not where its client is, where the token named an organisation', () => {
      const elsewhere = { ...written, sendingOrganisation: 'Organization/abroad' }
      expect([...sidesOf(colleague, elsewhere, facilities)]).toEqual([])
    })
  })

  it('knows an organisation by the id of its client when nothing else is said', () => {
    const sent = { ...referral, receivingFacilityClientId: 'hill', performerId: null }
    expect([...sidesOf(stranger, sent, facilities)]).toEqual(['receiver'])
  })
})

describe('who may act', () => {
  const owners = { requester: ownersOf.send, receiver: ownersOfTaskMove('RECEIVED', 'ACCEPTED') }
  it.each<[PartyRules, string, Caller, boolean, boolean]>([
    ['parties', 'the creator', creator, true, true],
    ['parties', 'the receiver', receiver, true, true],
    ['parties', 'a stranger', stranger, false, false],
    ['parties', "a stranger's service account", strangerAccount, false, false],
    ['parties', 'a token without organisation', placeless, true, true],
    ['parties', 'an administrator', administrator, true, true],
    ['strict', 'the creator', creator, true, false],
    ['strict', 'a colleague', colleague, true, false],
    ['strict', 'the receiver', receiver, false, true],
    ['strict', "the receiver's service account", receiverAccount, false, true],
    ['strict', 'a stranger', stranger, false, false],
    ['strict', 'a token without organisation', placeless, true, true],
    ['strict', 'an administrator', administrator, true, true],
    ['off', 'a stranger', stranger, true, true],
  ])('by the rule %s, %s: send %s, accept %s', (rule, _name, who, maySend, mayAccept) => {
    const deps = { partyRules: rule, facilities }
    expect(mayAct(who, referral, owners.requester, deps)).toBe(maySend)
    expect(mayAct(who, referral, owners.receiver, deps)).toBe(mayAccept)
  })

  it('is decided by one of three rules', () => {
    expect(partyRules).toEqual(['parties', 'strict', 'off'])
  })

  it('is the requester in everything that is done to the referral itself', () => {
    const only = ['requester']
    expect(ownersOf).toEqual({ send: only, hold: only, resume: only, revoke: only, reroute: only, change: only })
  })

  it.each([
    ['REQUESTED', 'RECEIVED', ['receiver']],
    ['RECEIVED', 'ACCEPTED', ['receiver']],
    ['RECEIVED', 'REJECTED', ['receiver']],
    ['ACCEPTED', 'INPROGRESS', ['receiver']],
    ['INPROGRESS', 'COMPLETED', ['receiver']],
    ['INPROGRESS', 'FAILED', ['receiver']],
    ['INPROGRESS', 'ONHOLD', ['requester', 'receiver']],
    ['ONHOLD', 'INPROGRESS', ['requester', 'receiver']],
    ['REQUESTED', 'CANCELLED', ['requester', 'receiver']],
    ['ONHOLD', 'CANCELLED', ['requester', 'receiver']],
    ['ONHOLD', 'COMPLETED', ['receiver']],
  ] as const)('a task from %s to %s belongs to %j', (from, to, expected) => {
    expect(ownersOfTaskMove(from, to)).toEqual(expected)
  })
})

function caller(
  of: { subject: string } & Partial<Pick<Caller, 'organisation' | 'clientId' | 'fhirUser'>> & { role?: Role },
): Caller {
  return {
    subject: of.subject,
    clientId: of.clientId ?? 'demo-app',
    roles: new Set([of.role ?? 'CLINICIAN']),
    scope: '',
    organisation: of.organisation,
    patient: undefined,
    encounter: undefined,
    fhirUser: of.fhirUser,
    tokenId: 't',
    grantId: undefined,
    expiresAt: new Date('2026-01-01T00:00:00Z'),
  }
}
