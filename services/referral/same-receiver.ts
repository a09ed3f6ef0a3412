import type { Facilities } from './facilities.ts'
import type { Referral } from './referral.ts'

type Receiver = Pick<Referral, 'receivingFacilityClientId' | 'performerId'>

/**
 * Whether two receivers are one facility: each is in the inbox of the same organisation, or they are clients of the same
 * one and a performer is only left out. Behind one client several organisations may work, each named as the performer.
 */
export function isSameReceiver(
  some: Receiver,
  other: Receiver,
  { organisationOf }: Pick<Facilities, 'organisationOf'>,
): boolean {
  const clientOf = ({ receivingFacilityClientId }: Receiver) => organisationOf(receivingFacilityClientId)
  const askedOf = (receiver: Receiver) => receiver.performerId ?? clientOf(receiver)
  const isLeftOut = some.performerId === null || other.performerId === null
  return askedOf(some) === askedOf(other) || (isLeftOut && clientOf(some) === clientOf(other))
}
