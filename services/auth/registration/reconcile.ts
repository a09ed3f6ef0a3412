import type { Clock } from '../../../packages/clock/clock.ts'
import type { Ids } from '../../../packages/clock/ids.ts'
import { incorrect } from '../../../packages/faults/fault.ts'
import type { Sealer } from '../../../packages/keys/sealer.ts'
import type { Log } from '../../../packages/log/log.ts'
import type { Database, Transaction } from '../../../packages/sql/database.ts'
import type { IsServable } from '../servable-scopes.ts'
import type { PasswordHasher } from '../secrets/password.ts'
import {
  disableClients,
  listClients,
  saveClient,
  takeGrantTypesOfGone,
  type Client,
  type NewClient,
} from '../store/clients.ts'
import { revokeGrantsOfClients, revokeGrantsOfUsers, revokeOnlineGrantsOfUsers } from '../store/grants.ts'
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
import type { RevocationTimes } from '../store/grants.ts'
import type { DeclaredClient } from './client-fields.ts'
import { registeredClient } from './declared-client.ts'
import { refuseSecondAccount, registeredUser } from './declared-user.ts'
import type { DeclaredUser } from './user-fields.ts'
import { whatEnds } from './what-ends.ts'

interface Declared {
  readonly clients: readonly DeclaredClient[]
  readonly users: readonly DeclaredUser[]
}

interface ReconcileDeps {
  readonly database: Database
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  readonly passwords: PasswordHasher
  readonly sealer: Sealer
  readonly mode: 'demo' | 'production'
  readonly allowsLoopbackKeySets: boolean
  readonly isServable: IsServable
  readonly revocationTimes: () => RevocationTimes
}

/**
 * Makes the register agree with what is declared: what is new is added, what changed is changed, what is gone is
 * disabled together with everything that was granted. What a command has disabled stays so, and the log says it. All of
 * it or, where anything is refused, nothing. Copies that start together do the same and do no harm.
 */
export async function reconcile(source: Exclude<Source, 'command'>, declared: Declared, deps: ReconcileDeps) {
  // Files are read and passwords hashed before the transaction, which may run more than once.
  const users = await preparedUsers(source, declared.users, deps)
  refuseTwice(declared.clients.map(({ clientId }) => clientId))
  const clients = await Promise.all(declared.clients.map((client) => registeredClient(client, source, deps)))
  await deps.database.transaction(async (tx) => {
    await writeUsers(users, deps, tx)
    await writeClients(source, clients, deps, tx)
  })
  await tellOfDisabled(declared, deps)
}

/** Who waits for an account that is declared learns here why it does not work. */
async function tellOfDisabled({ users, clients }: Declared, { database, log }: ReconcileDeps): Promise<void> {
  const names = new Set(users.map(({ username }) => username.toLowerCase()))
  const people = (await listUsers(database)).filter((user) => user.isDisabledByCommand && names.has(user.username))
  if (people.length > 0) {
    const event = 'declared users stay disabled: a command disabled them; `corridor users enable` brings them back'
    log.warn(event, { count: people.length })
  }
  const ids = new Set(clients.map(({ clientId }) => clientId))
  for (const { clientId, isDisabledByCommand } of await listClients(database)) {
    if (!isDisabledByCommand || !ids.has(clientId)) continue
    log.warn('a declared client stays disabled: a command disabled it; `corridor clients enable` brings it back', {
      clientId,
    })
  }
}

interface PreparedUsers {
  readonly renamed: readonly Pick<User, 'id' | 'username'>[]
  readonly saved: readonly SavedUser[]
  readonly gone: readonly string[]
}

interface SavedUser {
  readonly user: NewUser
  readonly before: User | undefined
  readonly ends: Awaited<ReturnType<typeof whatEnds>>
}

async function preparedUsers(
  source: Source,
  declared: readonly DeclaredUser[],
  deps: ReconcileDeps,
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
    saved.push({ user, before, ends: await whatEnds(asFound, user, deps.sealer) })
  }
  const gone = known.filter((user) => user.source === source && !names.has(user.username))
  return { renamed, saved, gone: gone.map(({ username }) => username) }
}

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

async function writeUsers({ renamed, saved, gone }: PreparedUsers, deps: ReconcileDeps, tx: Transaction) {
  const now = deps.clock.now()
  for (const { id, username } of renamed) await renameUser(id, username, now, tx)
  for (const { user, before, ends } of saved) {
    if (!(await saveUser(user, deps.ids.uuid(), now, tx))) throw taken(user.username)
    if (before === undefined || ends === undefined) continue
    await endSessionsOf([before.id], now, tx)
    const revoke = ends === 'everything' ? revokeGrantsOfUsers : revokeOnlineGrantsOfUsers
    await revoke([before.id], deps.revocationTimes(), tx)
  }
  const disabled = await disableUsers(gone, 'start', now, tx)
  await takeRolesOfGone(gone, now, tx)
  await endSessionsOf(disabled, now, tx)
  await revokeGrantsOfUsers(disabled, deps.revocationTimes(), tx)
}

async function writeClients(source: Source, clients: readonly NewClient[], deps: ReconcileDeps, tx: Transaction) {
  const now = deps.clock.now()
  const subjects = new Set((await listUsers(tx)).map(({ subject }) => subject))
  for (const client of clients) {
    if (subjects.has(client.clientId)) throw personsId(client.clientId)
    if (!(await saveClient(client, now, tx))) throw taken(client.clientId)
  }
  const kept = new Set(clients.map(({ clientId }) => clientId))
  const known = await listClients(tx)
  const gone = known.filter((client) => client.source === source && !kept.has(client.clientId))
  const goneIds = gone.map(({ clientId }) => clientId)
  const disabled = await disableClients(goneIds, 'start', now, tx)
  await takeGrantTypesOfGone(goneIds, now, tx)
  await revokeGrantsOfClients(disabled, deps.revocationTimes(), tx)
}

/** Demo accounts have known passwords: a database that has some is not fit for production. */
export async function refuseDemoAccounts({ database }: { readonly database: Database }): Promise<void> {
  const users = (await listUsers(database)).filter(isActiveDemo).map(({ username }) => username)
  const clients = (await listClients(database)).filter(isActiveDemo).map(({ clientId }) => clientId)
  if (users.length + clients.length === 0) return
  throw incorrect(
    `This database has demo accounts, whose passwords everybody knows: ${[...users, ...clients].join(', ')}. Use a database of its own for production, or disable them first with \`corridor users disable\` and \`corridor clients disable\`.`,
    { code: 'MODE_REFUSED' },
  )
}

/**
 * The other way round: accounts that work and no demo account that does is a register of production, even where it was a
 * demo's once. Demo accounts there would open everything that it guards.
 */
export async function refuseProductionAccounts({ database }: { readonly database: Database }): Promise<void> {
  const known = [...(await listUsers(database)), ...(await listClients(database))]
  if (known.some(isActiveDemo)) return
  const names = known.filter(({ status }) => status === 'active').map((one) => nameOf(one))
  if (names.length === 0) return
  throw incorrect(
    `This database has accounts and no demo account, as one of production does: ${some(names)}. A demo would add accounts whose passwords everybody knows. Use a database of its own for the demo, or set mode: production.`,
    { code: 'MODE_REFUSED' },
  )
}

const nameOf = (one: User | Client) => ('username' in one ? one.username : one.clientId)

const some = (names: readonly string[]) =>
  names.length <= 5 ? names.join(', ') : `${names.slice(0, 5).join(', ')} and ${names.length - 5} more`

const isActiveDemo = ({ source, status }: { readonly source: Source; readonly status: string }) =>
  source === 'demo' && status === 'active'

function refuseTwice(names: readonly string[]): void {
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw incorrect(`${twice} is declared twice.`, { code: 'REGISTRATION_REFUSED' })
}

const taken = (name: string) =>
  incorrect(
    `${name} cannot be registered: the name is taken by one that was added elsewhere. Declare it under another name.`,
    {
      code: 'REGISTRATION_REFUSED',
    },
  )

/** RFC 9700 section 4.15: a service account must never be taken for a person. */
export const personsId = (clientId: string) =>
  incorrect(`The client ${clientId} cannot be registered: a person has this id.`, { code: 'REGISTRATION_REFUSED' })

/** The other way round. */
export const clientsId = (username: string, subject: string) =>
  incorrect(`The user ${username} cannot be registered: a client has the id ${subject}.`, {
    code: 'REGISTRATION_REFUSED',
  })
