import { tooMuch } from '../faults/fault.ts'
import { countedAddress } from '../http/counted-address.ts'
import type { IncomingRequest } from '../http/request.ts'
import { digestOf } from './sealed.ts'

/**
 * How many who were sent to an authorization server may be expected back: the numbers of decision 1003, for the same
 * reason. Anybody may begin, and each leaves a row for a while.
 */
export const waitingLimits = { perAddressMax: 1_000, max: 20_000 }

/** What they are counted under. */
export const addressHashOf = ({ peer }: Pick<IncomingRequest, 'peer'>): string => digestOf(countedAddress(peer))

export const tooManyWait = () =>
  tooMuch('Too many sign-ins that were begun here wait to be finished. Try again in a minute.', {
    retryAfterSeconds: 60,
  })
