import type { Clock } from '../../../packages/clock/clock.ts'
import type { Ids } from '../../../packages/clock/ids.ts'
import { incorrect } from '../../../packages/faults/fault.ts'
import type { Sealer } from '../../../packages/keys/sealer.ts'
import type { Database } from '../../../packages/sql/database.ts'
import type { IsServable } from '../servable-scopes.ts'
import type { PasswordHasher } from '../secrets/password.ts'
import { disableClients, listClients, saveClient } from '../store/clients.ts'
import { revokeGrantsOfClients, revokeGrantsOfUsers, revokeOnlineGrantsOfUsers } from '../store/grants.ts'
import { endSessionsOf } from '../store/sessions.ts'
import { disableUsers, listUsers, renameUser, saveUser, subjectOf, type Source } from '../store/users.ts'
import type { RevocationTimes } from '../store/grants.ts'
import type { DeclaredClient } from './client-fields.ts'
import { registeredClient } from './declared-client.ts'
import { refuseSecondAccount, registeredUser } from './declared-user.ts'
import type { DeclaredUser } from './user-fields.ts'

export interface Declared {
  readonly clients: readonly DeclaredClient[]
  readonly users: readonly DeclaredUser[]
}

export interface ReconcileDeps {
  readonly database: Database
  readonly clock: Clock
  readonly ids: Ids
  readonly passwords: PasswordHasher
  readonly sealer: Sealer
  readonly mode: 'demo' | 'production'
  readonly allowsLoopbackKeySets: boolean
  readonly isServable: IsServable
  readonly revocationTimes: () => RevocationTimes
}

/**
 * Makes the register agree with what is declared: what is new is added, what changed is changed, what is gone is
 * disabled together with everything that was granted. Copies that start together do the same and do no harm.
 */
export async function reconcile(source: Exclude<Source, 'command'>, declared: Declared, deps: ReconcileDeps) {
  await reconcileUsers(source, declared.users, deps)
  await reconcileClients(source, declared.clients, deps)
}

async function reconcileUsers(source: Source, declared: readonly DeclaredUser[], deps: ReconcileDeps): Promise<void> {
  const { database, clock, ids } = deps
  refuseTwice(declared.map(({ username }) => username.toLowerCase()))
  refuseTwice(declared.map(({ fhirUser }) => subjectOf(fhirUser)))
  const names = new Set(declared.map(({ username }) => username.toLowerCase()))
  await followNewNames(source, declared, names, deps)
  const known = await listUsers(database)
  for (const person of declared) {
    const before = known.find(({ username }) => username === person.username.toLowerCase())
    const user = await registeredUser(person, source, { ...deps, known: before })
    refuseSecondAccount(user, known)
    await database.transaction(async (tx) => {
      if (!(await saveUser(user, ids.uuid(), clock.now(), tx))) throw taken(person.username)
      // As `corridor users reset-password` does: the one before may be known to somebody else.
      if (before === undefined || before.passwordHash === user.passwordHash) return
      await endSessionsOf([before.id], clock.now(), tx)
      await revokeOnlineGrantsOfUsers([before.id], deps.revocationTimes(), tx)
    })
  }
  const gone = known.filter((user) => user.source === source && !names.has(user.username))
  await database.transaction(async (tx) => {
    const disabled = await disableUsers(
      gone.map(({ username }) => username),
      clock.now(),
      tx,
    )
    await endSessionsOf(disabled, clock.now(), tx)
    await revokeGrantsOfUsers(disabled, deps.revocationTimes(), tx)
  })
}

/** A person who is declared under another name than before keeps their account, for there can be only one. */
async function followNewNames(
  source: Source,
  declared: readonly DeclaredUser[],
  names: ReadonlySet<string>,
  { database, clock }: ReconcileDeps,
): Promise<void> {
  const former = (await listUsers(database)).filter((user) => user.source === source && !names.has(user.username))
  for (const { username, fhirUser } of declared) {
    const account = former.find(({ subject }) => subject === subjectOf(fhirUser))
    if (account !== undefined) await renameUser(account.id, username, clock.now(), database)
  }
}

async function reconcileClients(source: Source, declared: readonly DeclaredClient[], deps: ReconcileDeps) {
  const { database, clock } = deps
  refuseTwice(declared.map(({ clientId }) => clientId))
  const clients = await Promise.all(declared.map((client) => registeredClient(client, source, deps)))
  const subjects = new Set((await listUsers(database)).map(({ subject }) => subject))
  for (const client of clients) {
    if (subjects.has(client.clientId)) throw personsId(client.clientId)
    if (!(await saveClient(client, clock.now(), database))) throw taken(client.clientId)
  }
  const kept = new Set(clients.map(({ clientId }) => clientId))
  const known = await listClients(database)
  const gone = known.filter((client) => client.source === source && !kept.has(client.clientId))
  await database.transaction(async (tx) => {
    const disabled = await disableClients(
      gone.map(({ clientId }) => clientId),
      clock.now(),
      tx,
    )
    await revokeGrantsOfClients(disabled, deps.revocationTimes(), tx)
  })
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
