import type { Visitor } from '../login/visitor.ts'
import type { SavedRequest } from '../store/authorization-requests.ts'
import type { Asked } from './asked.ts'
import { promptsOf } from './check-prompt.ts'

/** Whether the login is good enough for this request: there is one, and it is as fresh as the app wants it. */
export function isSignedIn(
  { parameters }: Asked,
  visitor: Visitor | undefined,
  saved: SavedRequest | undefined,
  now: Date,
): visitor is Visitor {
  if (visitor === undefined) return false
  const signedInAt = visitor.signedInAt.getTime()
  if (promptsOf(parameters).includes('login') && (saved === undefined || signedInAt < saved.createdAt.getTime())) {
    return false
  }
  const maxAge = parameters['max_age']
  return maxAge === undefined || now.getTime() - signedInAt <= Number(maxAge) * 1_000
}
