import { isDeepStrictEqual } from 'node:util'
import { incorrect } from '../../../packages/faults/fault.ts'
import type { Log } from '../../../packages/log/log.ts'
import type { Database, Transaction } from '../../../packages/sql/database.ts'
import type { IsServable } from '../servable-scopes.ts'
import { listClients, type Client } from '../store/clients.ts'
import { listUsers, lockUsers, type Source, type User } from '../store/users.ts'
import type { DeclaredClient } from './client-fields.ts'
import { registeredClient } from './declared-client.ts'
import { writeClients, type ReconcileClientsDeps } from './reconcile-clients.ts'
import { preparedUsers, writeUsers, type ReconcileUsersDeps } from './reconcile-users.ts'
import { refuseTwice } from './refusals.ts'
import type { DeclaredUser } from './user-fields.ts'

interface Declared {
  readonly clients: readonly DeclaredClient[]
  readonly users: readonly DeclaredUser[]
}

interface ReconcileDeps extends ReconcileUsersDeps, ReconcileClientsDeps {
  readonly log: Log
  readonly allowsLoopbackKeySets: boolean
  readonly isServable: IsServable
}

/**
 * Makes the register agree with what is declared: what is new is added, what changed is changed, what is gone is
 * disabled together with everything that was granted. What a command has disabled stays so, and the log says it. All of
 * it or, where anything is refused, nothing. Copies that start together do the same and do no harm: what the first of
 * them changed is no change to the next.
 */
export async function reconcile(source: Exclude<Source, 'command'>, declared: Declared, deps: ReconcileDeps) {
  // Files are read and passwords hashed before the transaction, which may run more than once.
  let users = await preparedUsers(source, declared.users, deps)
  refuseTwice(declared.clients.map(({ clientId }) => clientId))
  const clients = await Promise.all(declared.clients.map((client) => registeredClient(client, source, deps)))
  const write = (isLast: boolean) =>
    deps.database.transaction(async (tx) => {
      const isAsFound = isDeepStrictEqual(await lockUsers(tx), users.found)
      if (!isAsFound && !isLast) return false
      await writeUsers(users, await heldIds(source, declared, tx), deps, tx)
      await writeClients(source, clients, deps, tx)
      return true
    })
  // Where somebody else was faster, what is to be changed is asked anew. At last it is written over what is there.
  for (let attempt = 1; !(await write(attempt === attemptsMax)); attempt++) {
    users = await preparedUsers(source, declared.users, deps)
  }
  await tellOfDisabled(declared, deps)
}

const attemptsMax = 5

/** The ids of clients that no person may have: one that is disabled, or that this start takes away, has none to defend. */
async function heldIds(source: Source, { clients }: Declared, tx: Transaction): Promise<ReadonlySet<string>> {
  const declared = new Set(clients.map(({ clientId }) => clientId))
  const stays = (client: Client) => client.source !== source || declared.has(client.clientId)
  const held = (await listClients(tx)).filter((client) => client.status === 'active' && stays(client))
  return new Set(held.map(({ clientId }) => clientId))
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
