import type { Facilities } from './facilities.ts'
import type { Referral } from './referral.ts'

export type Receiver = Pick<Referral, 'receivingFacilityClientId' | 'performerId'>

/** The organisation that is asked: the performer, else the one whose client it is. */
export const organisationAsked = (
  { performerId, receivingFacilityClientId }: Receiver,
  { organisationOf }: Pick<Facilities, 'organisationOf'>,
): string => performerId ?? organisationOf(receivingFacilityClientId)

/**
 * Whether two receivers are one facility: each is in the inbox of the same organisation, or they are clients of the same
 * one and a performer is only left out. Behind one client several organisations may work, each named as the performer.
 */
export function isSameReceiver(
  some: Receiver,
  other: Receiver,
  facilities: Pick<Facilities, 'organisationOf'>,
): boolean {
  const clientOf = ({ receivingFacilityClientId }: Receiver) => facilities.organisationOf(receivingFacilityClientId)
  const askedOf = (receiver: Receiver) => organisationAsked(receiver, facilities)
  const isLeftOut = some.performerId === null || other.performerId === null
  return askedOf(some) === askedOf(other) || (isLeftOut && clientOf(some) === clientOf(other))
}
