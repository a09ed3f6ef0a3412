import type { Caller } from '../../packages/tokens/caller.ts'
import { clientOfSubject } from '../../packages/tokens/service-caller.ts'
import type { Facilities } from './facilities.ts'
import type { Referral } from './referral.ts'
import type { ReferralAction, TaskStatus } from './transitions.ts'

/** A referral is a promise between two sides. */
export const sides = ['requester', 'receiver'] as const
export type Side = (typeof sides)[number]

/** `parties`: either side may act; `strict`: each step belongs to a side; `off`: the role alone decides. */
export const partyRules = ['parties', 'strict', 'off'] as const
export type PartyRules = (typeof partyRules)[number]

export interface PartyDeps {
  readonly partyRules: PartyRules
  readonly facilities: PartyFacilities
}

type PartyFacilities = Pick<Facilities, 'isSame' | 'organisationOf'>

type Parties = Pick<
  Referral,
  'createdBy' | 'requesterId' | 'sendingOrganisation' | 'receivingFacilityClientId' | 'performerId'
>

/** Whether this caller may take a step that belongs to these sides. The role has been checked before. */
export function mayAct(caller: Caller, referral: Parties, owners: readonly Side[], deps: PartyDeps): boolean {
  if (caller.roles.has('ADMIN') || deps.partyRules === 'off' || !namesItsPlace(caller)) return true
  const own = sidesOf(caller, referral, deps.facilities)
  return deps.partyRules === 'strict' ? owners.some((side) => own.has(side)) : own.size > 0
}

export function sidesOf(caller: Caller, referral: Parties, facilities: PartyFacilities): ReadonlySet<Side> {
  const { fhirUser, subject } = caller
  const found = new Set<Side>()
  if (subject === referral.createdBy || fhirUser === referral.requesterId) found.add('requester')
  // Apps are shared by facilities: which one a person uses says nothing of where they work.
  const account = clientOfSubject(subject)
  const organisation = caller.organisation ?? organisationOfAccount(account, facilities)
  if (organisation !== undefined) {
    if (organisation === senderOf(referral, facilities)) found.add('requester')
    const isReceiver =
      organisation === referral.performerId || facilities.isSame(organisation, referral.receivingFacilityClientId)
    if (isReceiver) found.add('receiver')
  }
  if (account === referral.receivingFacilityClientId) found.add('receiver')
  return found
}

/** The organisation that asks, as far as it is known: what a program wrote comes from the facility whose it is. */
export const senderOf = (
  { sendingOrganisation, createdBy }: Pick<Parties, 'sendingOrganisation' | 'createdBy'>,
  facilities: PartyFacilities,
): string | undefined => sendingOrganisation ?? organisationOfAccount(clientOfSubject(createdBy), facilities)

/** A facility's own program works where the facility is. */
const organisationOfAccount = (clientId: string | undefined, { organisationOf }: PartyFacilities): string | undefined =>
  clientId === undefined ? undefined : organisationOf(clientId)

/** What is written is its writers' alone: the facility that a draft names has not been asked yet. */
export const rulesOfDrafts = <Deps extends PartyDeps>(deps: Deps): Deps =>
  deps.partyRules === 'parties' ? { ...deps, partyRules: 'strict' } : deps

/** The side whose step an action is. Everything that callers do to a referral itself is the requester's. */
export const ownersOf: Readonly<Record<Exclude<ReferralAction, 'complete'>, readonly Side[]>> = {
  change: ['requester'],
  send: ['requester'],
  hold: ['requester'],
  resume: ['requester'],
  revoke: ['requester'],
  reroute: ['requester'],
}

/** Cancelling and pausing is open to both sides; everything else is for the facility that does the work. */
export function ownersOfTaskMove(from: TaskStatus, to: TaskStatus): readonly Side[] {
  const isPauseOrReturn = to === 'ONHOLD' || (from === 'ONHOLD' && to === 'INPROGRESS')
  return to === 'CANCELLED' || isPauseOrReturn ? sides : ['receiver']
}

/**
 * A token without an organisation says nothing about where its owner works, so only the role can count. A service
 * account is a facility's own: it belongs where its client id says.
 */
export const namesItsPlace = (caller: Caller) => caller.organisation !== undefined || isAccount(caller)

const isAccount = ({ subject }: Caller) => clientOfSubject(subject) !== undefined
