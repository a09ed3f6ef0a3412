import { incorrect } from '../../../packages/faults/fault.ts'
import type { AuthDeps } from '../deps.ts'
import type { Visitor } from '../login/visitor.ts'
import { digestOf } from '../secrets/digest.ts'
import { interactionSeconds, later } from '../settings.ts'
import { saveRequest, takeUpRequest, type Parameters } from '../store/authorization-requests.ts'
import type { Waiting } from './authorize.ts'

type WaitingDeps = Pick<AuthDeps, 'database' | 'clock' | 'ids'>

/** Keeps a request while the user signs in or chooses. The address bar only ever holds an opaque id, never a way out. */
export async function waitFor(parameters: Parameters, { database, clock, ids }: WaitingDeps): Promise<string> {
  const id = ids.secret()
  const now = clock.now()
  await saveRequest(digestOf(id), parameters, { now, expiresAt: later(now, interactionSeconds) }, database)
  return id
}

/** The kept request, which from now on belongs to this login alone. */
export async function takeUp(id: string, visitor: Visitor, { database, clock }: WaitingDeps): Promise<Waiting> {
  const requestHash = digestOf(id)
  const saved = await takeUpRequest(requestHash, visitor.sessionHash, clock.now(), database)
  if (saved !== undefined) return { requestHash, saved }
  throw incorrect(
    'This request is too old, was answered before or belongs to another login. Start again from the app.',
    { code: 'invalid_request' },
  )
}
