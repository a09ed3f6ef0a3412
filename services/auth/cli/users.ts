import { assert, conflict, incorrect, missing } from '../../../packages/faults/fault.ts'
import type { Transaction } from '../../../packages/sql/database.ts'
import { auditAllIn, endedEvents } from '../audit/audit.ts'
import { forgetFailuresOfAccount } from '../limits/failure-limits.ts'
import { checkPassword, passwordFault, refuseSecondAccount, registeredUser } from '../registration/declared-user.ts'
import { declareUsers } from '../registration/declare.ts'
import { clientsId } from '../registration/refusals.ts'
import { changesOfUser } from '../registration/what-changed.ts'
import { isOnlyRelatedNow } from '../registration/what-ends.ts'
import { revoking } from '../revocation/revoking.ts'
import { PasswordHasher, type PasswordCost } from '../secrets/password.ts'
import { newTotpSecret, totpAddress } from '../secrets/totp.ts'
import { endRequestsOf } from '../store/authorization-requests.ts'
import { isClientId } from '../store/clients.ts'
import {
  revokeGrantsOfEverybody,
  revokeGrantsOfUsers,
  revokeOnlineGrantsOfUsers,
  type EndedGrant,
} from '../store/grants.ts'
import { forgetLaunchesOf } from '../store/launches.ts'
import { endAllSessions, endSessionsOf } from '../store/sessions.ts'
import {
  bringUserBack,
  disableUsers,
  listUsers,
  lockUsers,
  replacePassword,
  saveUser,
  setTotpSecret,
  subjectOf,
  type User,
} from '../store/users.ts'
import { auditChange } from './audit-change.ts'
import { auditDeps, costOf, declaringSources, type CliDeps } from './cli-deps.ts'

type UserDescription = Omit<User, 'passwordHash' | 'totpSecret'> & { readonly hasTotp: boolean }

interface AddUserOptions {
  readonly username: string
  readonly displayName?: string
  readonly fhirUser: string
  readonly roles: readonly string[]
  readonly organisation?: string
  /** One is made when none is given. */
  readonly password?: string
  readonly totp?: boolean
}

/** Shown once; only hashes are kept. */
interface NewAccess {
  readonly username: string
  readonly password: string
  /** For the authenticator app. */
  readonly totpAddress?: string
}

/** `corridor users list` */
export async function describeUsers({ database }: Pick<CliDeps, 'database'>): Promise<readonly UserDescription[]> {
  const users = await listUsers(database)
  return users.map(({ passwordHash: _hash, totpSecret, ...shown }) => ({ ...shown, hasTotp: totpSecret !== null }))
}

const seeList = '`corridor users list` shows all'

/** `corridor users add`; who was disabled comes back, with a new password. */
export async function addUser(options: AddUserOptions, deps: CliDeps): Promise<NewAccess> {
  const { password = deps.ids.secret(15), totp = false, ...person } = options
  const { database, clock, ids, mode } = deps
  checkPassword(password, person.username, mode)
  const passwords = new PasswordHasher(costOf(deps))
  const [declared] = declareUsers([{ ...person, passwordHash: await passwords.hash(password) }])
  assert(declared !== undefined, 'a record that was read is not there')
  const user = await registeredUser(declared, 'command', { known: undefined, passwords, mode, sealer: deps.sealer })
  const secret = totp ? newTotpSecret() : undefined
  const username = person.username.toLowerCase()
  const totpSecret = secret === undefined ? null : await deps.sealer.seal(secret, username)
  const subject = subjectOf(user.fhirUser)
  await database.transaction(async (tx) => {
    refuseSecondAccount(user, await lockUsers(tx))
    if (await isClientId(subject, tx)) throw clientsId(user.username, subject)
    if ((await saveUser({ ...user, totpSecret }, ids.uuid(), clock.now(), tx)) === undefined) {
      throw conflict(`There is a user ${person.username} already: \`corridor users list\` shows who it is.`, {
        code: 'ALREADY_EXISTS',
      })
    }
    await forgetFailuresOfAccount(username, tx)
    await auditChange(tx, { account: { username }, reason: 'user added' }, deps)
  })
  return { username, password, ...(secret === undefined ? {} : { totpAddress: totpAddress(secret, username) }) }
}

interface UserChanges {
  readonly displayName?: string
  readonly roles?: readonly string[]
  /** Null where they work nowhere any more. */
  readonly organisation?: string | null
}

/**
 * `corridor users change`: what is said replaces what was registered, all else stays, and so does what they granted; each
 * refresh gives what is still within their roles (decision 0974). Who they are stays: another person has another account.
 */
export async function changeUser(username: string, said: UserChanges, deps: CliDeps): Promise<void> {
  const { database, clock, ids, mode, sealer } = deps
  const passwords = new PasswordHasher(costOf(deps))
  await database.transaction(async (tx) => {
    const before = (await lockUsers(tx)).find((user) => user.username === username.toLowerCase())
    if (before?.source !== 'command' || before.status !== 'active') throw notAddedHere(username)
    const { displayName, fhirUser, roles, passwordHash, totpSecret } = before
    const organisation = said.organisation === undefined ? before.organisation : said.organisation
    const person = { username: before.username, displayName, fhirUser, roles, passwordHash, ...said }
    const [declared] = declareUsers([{ ...person, organisation: organisation ?? undefined }])
    assert(declared !== undefined, 'a record that was read is not there')
    const registered = await registeredUser(declared, 'command', { known: before, passwords, mode, sealer })
    const user = { ...registered, totpSecret }
    const [reason] = changesOfUser(before, user, false)
    if (reason === undefined) return
    await saveUser(user, ids.uuid(), clock.now(), tx, { changesActive: true })
    const ended = isOnlyRelatedNow(before, user) ? await endEverythingOf(before.id, tx, deps) : []
    await auditChange(tx, { account: accountOf(username), reason, ended }, deps)
  })
}

async function endEverythingOf(id: string, tx: Transaction, deps: CliDeps): Promise<readonly EndedGrant[]> {
  await endSessionsOf([id], deps.clock.now(), tx)
  await forgetLaunchesOf([id], tx)
  await endRequestsOf([id], tx)
  return revokeGrantsOfUsers([id], revoking(deps), tx)
}

/** `corridor users hash-password`: what a configuration declares as a passwordHash, which nobody looks into later. */
export async function hashPassword(password: string, cost?: PasswordCost): Promise<string> {
  const wrong = passwordFault(password, 'production')
  if (wrong !== undefined) throw incorrect(`This is no password for production: ${wrong}.`)
  return new PasswordHasher(cost).hash(password)
}

/**
 * `corridor users disable`: signed out everywhere, and nothing is left that an app could use. Who is declared stays so
 * over a start.
 */
export async function disableUser(username: string, deps: CliDeps): Promise<void> {
  await deps.database.transaction(async (tx) => {
    const [id] = await disableUsers([username], 'command', deps.clock.now(), tx)
    if (id === undefined) throw missing(`There is no active user ${username}: ${seeList}.`)
    await endSessionsOf([id], deps.clock.now(), tx)
    const ended = await revokeGrantsOfUsers([id], revoking(deps), tx)
    await auditChange(tx, { account: accountOf(username), reason: 'user disabled', ended }, deps)
  })
}

/** `corridor users enable`: one who is declared and whom a command disabled may sign in again, as they are declared. */
export async function enableUser(username: string, deps: CliDeps): Promise<void> {
  await deps.database.transaction(async (tx) => {
    if (!(await bringUserBack(username, declaringSources(deps), deps.clock.now(), tx))) {
      throw missing(
        `There is no declared user ${username} whom a command disabled: ${seeList}; who was added by a command is added again.`,
      )
    }
    await auditChange(tx, { account: accountOf(username), reason: 'user enabled' }, deps)
  })
}

/** `corridor users totp`: a secret for the authenticator app, the first or another. Logins that were without it end. */
export async function renewTotp(username: string, deps: CliDeps): Promise<{ readonly totpAddress: string }> {
  const secret = newTotpSecret()
  await replaceTotp(username, await deps.sealer.seal(secret, username.toLowerCase()), 'one-time codes given', deps)
  return { totpAddress: totpAddress(secret, username.toLowerCase()) }
}

/** `corridor users totp --off` */
export async function takeTotpAway(username: string, deps: CliDeps): Promise<void> {
  await replaceTotp(username, null, 'one-time codes taken away', deps)
}

async function replaceTotp(username: string, sealed: string | null, reason: string, deps: CliDeps): Promise<void> {
  await deps.database.transaction(async (tx) => {
    const id = await setTotpSecret(username, sealed, deps.clock.now(), tx)
    if (id === undefined) throw notAddedHere(username)
    await endSessionsOf([id], deps.clock.now(), tx)
    const ended = await revokeOnlineGrantsOfUsers([id], revoking(deps), tx)
    await auditChange(tx, { account: accountOf(username), reason, ended }, deps)
  })
}

const notAddedHere = (username: string) =>
  missing(
    `There is no active user ${username} that was added here: ${seeList}; declared ones are changed in the configuration, and who was disabled is added again.`,
  )

/** `corridor users reset-password`: ends every login; with `everywhere` also apps with offline access. */
export async function resetPassword(
  options: { readonly username: string; readonly password?: string; readonly everywhere?: boolean },
  deps: CliDeps,
): Promise<NewAccess> {
  const { username, password = deps.ids.secret(15), everywhere = false } = options
  checkPassword(password, username, deps.mode)
  const passwordHash = await new PasswordHasher(costOf(deps)).hash(password)
  await deps.database.transaction(async (tx) => {
    const id = await replacePassword(username, passwordHash, deps.clock.now(), tx)
    if (id === undefined) throw notAddedHere(username)
    await forgetFailuresOfAccount(username, tx)
    await endSessionsOf([id], deps.clock.now(), tx)
    const revoke = everywhere ? revokeGrantsOfUsers : revokeOnlineGrantsOfUsers
    const ended = await revoke([id], revoking(deps), tx)
    await auditChange(tx, { account: accountOf(username), reason: 'password reset', ended }, deps)
  })
  return { username, password }
}

/**
 * `corridor users end-logins`: everybody signs in again, and apps ask again for access. For a database that was restored,
 * which takes back who signed out and what was revoked since.
 */
export async function endLogins(deps: CliDeps): Promise<{ readonly logins: number; readonly grants: number }> {
  const { database, clock, operator } = deps
  return database.transaction(async (tx) => {
    const logins = await endAllSessions(clock.now(), tx)
    const ended = await revokeGrantsOfEverybody(revoking(deps), tx)
    const about = { reason: 'every login ended', operator }
    await auditAllIn(tx, [{ event: 'logout', ...about }, ...endedEvents(ended, about)], auditDeps(deps))
    return { logins, grants: ended.length }
  })
}

const accountOf = (typed: string) => ({ username: typed.toLowerCase() })
