import type { Visitor } from '../login/visitor.ts'
import type { SavedRequest } from '../store/authorization-requests.ts'
import type { Asked } from './asked.ts'
import { promptsOf } from './check-prompt.ts'

/** Who may want to be somebody else chooses that by signing in. */
const asksForLogin: ReadonlySet<string> = new Set(['login', 'select_account'])

/** Whether the login is good enough for this request: there is one, and it is as fresh as the app wants it. */
export function isSignedIn(
  { parameters }: Asked,
  visitor: Visitor | undefined,
  saved: SavedRequest | undefined,
  now: Date,
): visitor is Visitor {
  if (visitor === undefined) return false
  // A login for this very request is as fresh as can be, also for `max_age=0`, and stays so while the user chooses.
  if (saved?.isSignedInFor === true) return true
  if (promptsOf(parameters).some((word) => asksForLogin.has(word))) return false
  const maxAge = parameters['max_age']
  return maxAge === undefined || now.getTime() - visitor.signedInAt.getTime() <= Number(maxAge) * 1_000
}
