import { later } from '../../../packages/clock/later.ts'
import { countedAddress } from '../../../packages/http/counted-address.ts'
import type { IncomingRequest } from '../../../packages/http/request.ts'
import type { Transaction } from '../../../packages/sql/database.ts'
import { audit, auditIn, whence } from '../audit/audit.ts'
import type { AuthDeps } from '../deps.ts'
import { accountKey } from '../limits/failure-limits.ts'
import { revoking } from '../revocation/revoking.ts'
import { digestOf } from '../secrets/digest.ts'
import { totpStepOf } from '../secrets/totp.ts'
import { handOverRequest, handOverRequests } from '../store/authorization-requests.ts'
import { handOverOnlineGrants, revokeOnlineGrants } from '../store/grants.ts'
import { knownBrowser, rememberBrowser } from '../store/known-browsers.ts'
import { addSession, endSession, type NewSession } from '../store/sessions.ts'
import { findActiveUser, isStillProven, takeTotpStep, type User } from '../store/users.ts'

interface Credentials {
  readonly username: string
  readonly password: string
  /** The code of an authenticator app, for who has one. */
  readonly totp?: string | undefined
}

/** The id of a new session and whose it is, or undefined. Whatever was wrong, the answer and the work are the same. */
export async function signIn(
  credentials: Credentials,
  from: Before,
  request: IncomingRequest,
  deps: AuthDeps,
): Promise<SignedIn | undefined> {
  const { limits } = deps
  const account = credentials.username.toLowerCase()
  const { browser } = from
  // Strangers must not keep anybody out of their own browser: what is tried there is counted by itself (decision 1211).
  const known = browser === undefined ? undefined : await knownBrowser(browser, account, deps.database)
  // The account first: a flood at one of them must not take the turns of all others at its address.
  using atAccount = await limits.account.begin(accountKey(account, known))
  using atAddress = known === undefined ? await limits.address.begin(countedAddress(request.peer)) : undefined
  const user = await provenUser(credentials, deps)
  const signedIn = user === undefined ? undefined : await openSession(user, from, request, deps)
  if (signedIn === undefined) {
    await atAccount.failed()
    await atAddress?.failed()
    await audit(
      { event: 'login', outcome: 'failure', ...(await knownAccount(account, deps)), ...whence(request) },
      deps,
    )
    return undefined
  }
  await atAccount.succeeded()
  return signedIn
}

/** What the browser brings along from before. */
interface Before {
  readonly lastSession: string | undefined
  readonly requestHash: string | undefined
  /** By which it may be known. */
  readonly browser: string | undefined
}

interface SignedIn {
  readonly id: string
  /** By which the browser is known from now on. */
  readonly browser: string
  readonly user: User
}

/** Undefined where the account was changed while its password was being looked at: what was proven is worth nothing now. */
async function openSession(
  user: User,
  from: Before,
  request: IncomingRequest,
  deps: AuthDeps,
): Promise<SignedIn | undefined> {
  const { ids, clock, settings, database } = deps
  // A new id at each login: one that somebody planted in the browser before is worth nothing.
  const [id, browser] = [ids.secret(), ids.secret()]
  const now = clock.now()
  const isOpen = await database.transaction(async (tx) => {
    if (!(await isStillProven(user, tx))) return false
    const session = { sessionHash: digestOf(id), userId: user.id, expiresAt: later(now, settings.sessionSeconds) }
    await addSession(session, now, tx)
    if (from.lastSession !== undefined) await replaceSession(from.lastSession, session, request, tx, deps)
    if (from.requestHash !== undefined) await handOverRequest(from.requestHash, digestOf(id), tx)
    await rememberBrowser({ browserHash: digestOf(browser), before: from.browser, userId: user.id }, now, tx)
    await auditIn(tx, { event: 'login', username: user.username, subject: user.subject, ...whence(request) }, deps)
    return true
  })
  return isOpen ? { id, browser, user } : undefined
}

/**
 * The login before in this browser is over, also one that had only been idle. The user's own apps go on with the new
 * one, so that signing out ends them, and so does what waits in other tabs; what another user left open ends here.
 */
async function replaceSession(
  last: string,
  session: NewSession,
  request: IncomingRequest,
  tx: Transaction,
  deps: AuthDeps,
): Promise<void> {
  // First, and so locked: a code of that login that is exchanged at this moment comes before or not at all.
  await endSession(last, deps.clock.now(), tx)
  await handOverRequests(last, session, tx)
  await handOverOnlineGrants(last, session, tx)
  const ended = await revokeOnlineGrants(last, revoking(deps), tx)
  for (const grant of ended) await auditIn(tx, { event: 'grant revoked', ...grant, ...whence(request) }, deps)
}

async function provenUser({ username, password, totp }: Credentials, deps: AuthDeps): Promise<User | undefined> {
  const user = await findActiveUser(username, deps.database)
  const isPasswordRight = await deps.passwords.verify(password, user?.passwordHash)
  if (user === undefined || !isPasswordRight) return undefined
  if (user.totpSecret === null) return user
  const secret = await deps.sealer.open(user.totpSecret, user.username)
  const step = totpStepOf(totp?.replaceAll(/\s/g, '') ?? '', secret, deps.clock.now())
  return step !== undefined && (await takeTotpStep(user.id, step, deps.database)) ? user : undefined
}

/** What was typed as a name may be a password; only the name of someone who exists is written down. */
async function knownAccount(
  account: string,
  { database }: AuthDeps,
): Promise<Partial<Pick<User, 'username' | 'subject'>>> {
  const user = await findActiveUser(account, database)
  return user === undefined ? {} : { username: user.username, subject: user.subject }
}
