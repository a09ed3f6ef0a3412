import { later } from '../../../packages/clock/later.ts'
import { incorrect, tooMuch } from '../../../packages/faults/fault.ts'
import { countedAddress } from '../../../packages/http/counted-address.ts'
import type { AuthDeps } from '../deps.ts'
import type { Visitor } from '../login/visitor.ts'
import { digestOf } from '../secrets/digest.ts'
import { interactionSeconds } from '../settings.ts'
import { saveRequest, takeUpRequest, type Parameters } from '../store/authorization-requests.ts'
import type { Waiting } from './authorize.ts'
import { requestOver } from './request-over.ts'

type WaitingDeps = Pick<AuthDeps, 'database' | 'clock' | 'ids' | 'settings'>

/** Keeps a request while the user signs in or chooses. The address bar only ever holds an opaque id, never a way out. */
export async function waitFor(parameters: Parameters, peer: string, deps: WaitingDeps): Promise<string> {
  const { database, clock, ids, settings } = deps
  const id = ids.secret()
  const now = clock.now()
  const isSaved = await saveRequest(
    {
      ...{ requestHash: digestOf(id), parameters, addressHash: digestOf(countedAddress(peer)) },
      ...{ now, expiresAt: later(now, interactionSeconds) },
    },
    { perAddressMax: settings.waitingRequestsPerAddressMax, max: settings.waitingRequestsMax },
    database,
  )
  if (!isSaved) throw tooManyWait()
  return id
}

/** Anybody may begin a request, and each is kept for a while: without a bound they would fill the disk. */
const tooManyWait = () =>
  tooMuch('Too many unfinished logins were begun here. Try again in a minute.', { retryAfterSeconds: 60 })

/** The kept request, which from now on belongs to this login alone. */
export async function takeUp(
  id: string,
  visitor: Visitor,
  { database, clock }: Pick<AuthDeps, 'database' | 'clock'>,
): Promise<Waiting> {
  const requestHash = digestOf(id)
  const saved = await takeUpRequest(requestHash, visitor.sessionHash, clock.now(), database)
  if (saved !== undefined) return { requestHash, saved }
  throw incorrect(
    'This request is too old, was answered before or belongs to another login. Start again from the app.',
    { code: requestOver },
  )
}
