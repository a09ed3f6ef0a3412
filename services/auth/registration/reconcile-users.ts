import type { Sealer } from '../../../packages/keys/sealer.ts'
import type { Database, Transaction } from '../../../packages/sql/database.ts'
import { endedEvents, type AuditDeps, type Audited } from '../audit/audit.ts'
import { forgetFailuresOfAccount } from '../limits/failure-limits.ts'
import type { PasswordHasher } from '../secrets/password.ts'
import { endRequestsOf } from '../store/authorization-requests.ts'
import { revokeGrantsOfUsers, revokeOnlineGrantsOfUsers, type Revoking } from '../store/grants.ts'
import { forgetLaunchesOf } from '../store/launches.ts'
import { endSessionsOf } from '../store/sessions.ts'
import {
  disableUsers,
  listUsers,
  renameUser,
  saveUser,
  subjectOf,
  takeRolesOfGone,
  type NewUser,
  type Source,
  type User,
} from '../store/users.ts'
import { refuseSecondAccount, registeredUser } from './declared-user.ts'
import { clientsId, refuseTwice, taken } from './refusals.ts'
import { declaredAnew, declaredNoMore, tellOfStart } from './tell-of-start.ts'
import type { DeclaredUser } from './user-fields.ts'
import { changesOfUser } from './what-changed.ts'
import { hasOtherCodes, whatEnds } from './what-ends.ts'

export interface ReconcileUsersDeps extends AuditDeps {
  readonly database: Database
  readonly passwords: PasswordHasher
  readonly sealer: Sealer
  readonly mode: 'demo' | 'production'
  readonly revoking: () => Revoking
}

export interface PreparedUsers {
  /** Everybody, as they were when the rest was prepared. */
  readonly found: readonly User[]
  readonly renamed: readonly Pick<User, 'id' | 'username'>[]
  readonly saved: readonly SavedUser[]
  readonly gone: readonly User[]
}

interface SavedUser {
  readonly user: NewUser
  readonly before: User | undefined
  /** In the words of the audit trail. */
  readonly changes: readonly string[]
  readonly ends: Awaited<ReturnType<typeof whatEnds>>
}

/** What there is to write, as far as it can be known before the transaction. */
export async function preparedUsers(
  source: Source,
  declared: readonly DeclaredUser[],
  deps: ReconcileUsersDeps,
): Promise<PreparedUsers> {
  refuseTwice(declared.map(({ username }) => username.toLowerCase()))
  refuseTwice(declared.map(({ fhirUser }) => subjectOf(fhirUser)))
  const names = new Set(declared.map(({ username }) => username.toLowerCase()))
  const found = await listUsers(deps.database)
  const renamed = newNames(source, declared, names, found)
  const known = found.map((user) => ({ ...user, ...renamed.find(({ id }) => id === user.id) }))
  const saved: SavedUser[] = []
  for (const person of declared) {
    const before = known.find(({ username }) => username === person.username.toLowerCase())
    const user = await registeredUser(person, source, { ...deps, known: before })
    refuseSecondAccount(user, known)
    // As it was found: a secret is sealed under the name that its account had.
    const asFound = found.find(({ id }) => id === before?.id)
    saved.push({
      ...{ user, before },
      changes: asFound === undefined ? [] : await changesIn(asFound, user, deps),
      ends: await whatEnds(asFound, user, deps.sealer),
    })
  }
  const gone = known.filter((user) => user.source === source && !names.has(user.username))
  return { found, renamed, saved, gone }
}

const changesIn = async (before: User, user: NewUser, { sealer }: ReconcileUsersDeps) =>
  changesOfUser(before, user, await hasOtherCodes(before, user, sealer))

/** A person who is declared under another name than before keeps their account, for there can be only one. */
function newNames(
  source: Source,
  declared: readonly DeclaredUser[],
  names: ReadonlySet<string>,
  known: readonly User[],
): Pick<User, 'id' | 'username'>[] {
  const former = known.filter((user) => user.source === source && !names.has(user.username))
  return declared.flatMap(({ username, fhirUser }) => {
    const account = former.find(({ subject }) => subject === subjectOf(fhirUser))
    const isFree = known.every((user) => user.username !== username.toLowerCase())
    return account !== undefined && isFree ? [{ id: account.id, username: username.toLowerCase() }] : []
  })
}

/** All that is declared of people, and that the others are no more; what changed is in the audit trail. */
export async function writeUsers(
  { renamed, saved, gone }: PreparedUsers,
  clientIds: ReadonlySet<string>,
  deps: ReconcileUsersDeps,
  tx: Transaction,
) {
  const now = deps.clock.now()
  for (const { id, username } of renamed) await renameUser(id, username, now, tx)
  for (const one of saved) {
    const subject = subjectOf(one.user.fhirUser)
    if (clientIds.has(subject)) throw clientsId(one.user.username, subject)
    const done = await saveUser(one.user, deps.ids.uuid(), now, tx)
    if (done === undefined) throw taken(one.user.username)
    // Where another copy has added them at this moment, it has told so.
    const isNew = one.before === undefined && done === 'added'
    const changes = isNew ? ['user added'] : one.changes
    await tellOfStart(tx, [...ofUser(one.user.username, changes), ...(await endOf(one, deps, tx))], deps)
  }
  await writeGoneUsers(gone, deps, tx)
}

/** Ends what the account may not keep, and tells what that was. */
async function endOf(
  { before, ends }: SavedUser,
  deps: ReconcileUsersDeps,
  tx: Transaction,
): Promise<readonly Audited[]> {
  if (before === undefined || ends === undefined) return []
  await forgetFailuresOfAccount(before.username, tx)
  await endSessionsOf([before.id], deps.clock.now(), tx)
  if (ends === 'logins') {
    return endedEvents(await revokeOnlineGrantsOfUsers([before.id], deps.revoking(), tx), declaredAnew)
  }
  await forgetLaunchesOf([before.id], tx)
  await endRequestsOf([before.id], tx)
  const ended = await revokeGrantsOfUsers([before.id], deps.revoking(), tx)
  // The account is another person's by now; what ends was that of the one before.
  return endedEvents(
    ended.map((grant) => ({ ...grant, subject: before.subject })),
    declaredAnew,
  )
}

async function writeGoneUsers(gone: readonly User[], deps: ReconcileUsersDeps, tx: Transaction): Promise<void> {
  const now = deps.clock.now()
  const names = gone.map(({ username }) => username)
  const disabled = await disableUsers(names, 'start', now, tx)
  const withoutRoles = await takeRolesOfGone(names, now, tx)
  await endSessionsOf(disabled, now, tx)
  const ended = await revokeGrantsOfUsers(disabled, deps.revoking(), tx)
  const told = [
    ...gone.flatMap(({ id, username }) => (disabled.includes(id) ? ofUser(username, ['user disabled']) : [])),
    ...withoutRoles.flatMap((username) => ofUser(username, ['user changed: roles'])),
  ]
  await tellOfStart(tx, [...told, ...endedEvents(ended, declaredNoMore)], deps)
}

const ofUser = (username: string, reasons: readonly string[]): Audited[] =>
  reasons.map((reason) => ({ event: 'account changed', username: username.toLowerCase(), reason }))
