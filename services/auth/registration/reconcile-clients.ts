import type { Transaction } from '../../../packages/sql/database.ts'
import { endedEvents, type AuditDeps, type Audited } from '../audit/audit.ts'
import { disableClients, lockClients, saveClient, takeGrantTypesOfGone, type NewClient } from '../store/clients.ts'
import { revokeGrantsOfClients, revokeOwnGrants, type Revoking } from '../store/grants.ts'
import { listUsers, type Source } from '../store/users.ts'
import { personsId, taken } from './refusals.ts'
import { declaredAnew, declaredNoMore, tellOfStart } from './tell-of-start.ts'
import { changesOfClient, losesProof } from './what-changed.ts'

export interface ReconcileClientsDeps extends AuditDeps {
  readonly revoking: () => Revoking
}

/** All clients that are declared, and that the others are no more; what changed is in the audit trail. */
export async function writeClients(
  source: Source,
  clients: readonly NewClient[],
  deps: ReconcileClientsDeps,
  tx: Transaction,
) {
  const now = deps.clock.now()
  const subjects = new Set((await listUsers(tx)).map(({ subject }) => subject))
  const known = await lockClients(tx)
  const withoutProof: string[] = []
  for (const client of clients) {
    const { clientId } = client
    if (subjects.has(clientId)) throw personsId(clientId)
    const done = await saveClient(client, now, tx)
    if (done === undefined) throw taken(clientId)
    const before = known.find((one) => one.clientId === clientId)
    const changes = before === undefined ? [] : changesOfClient(before, client)
    const isNew = before === undefined && done === 'added'
    await tellOfStart(tx, ofClient(clientId, isNew ? ['client added'] : changes), deps)
    if (before !== undefined && losesProof(before, client)) withoutProof.push(clientId)
  }
  // As `corridor clients secret --immediately` does: what was had with a secret that serves no longer is worth nothing.
  const ended = await revokeOwnGrants(withoutProof, deps.revoking(), tx)
  await tellOfStart(tx, endedEvents(ended, declaredAnew), deps)
  const kept = new Set(clients.map(({ clientId }) => clientId))
  const gone = known.filter((client) => client.source === source && !kept.has(client.clientId))
  await writeGoneClients(
    gone.map(({ clientId }) => clientId),
    deps,
    tx,
  )
}

async function writeGoneClients(gone: readonly string[], deps: ReconcileClientsDeps, tx: Transaction): Promise<void> {
  const now = deps.clock.now()
  const disabled = await disableClients(gone, 'start', now, tx)
  const withoutTypes = await takeGrantTypesOfGone(gone, now, tx)
  const ended = await revokeGrantsOfClients(disabled, deps.revoking(), tx)
  const told = [
    ...disabled.flatMap((clientId) => ofClient(clientId, ['client disabled'])),
    ...withoutTypes.flatMap((clientId) => ofClient(clientId, ['client changed: grantTypes'])),
  ]
  await tellOfStart(tx, [...told, ...endedEvents(ended, declaredNoMore)], deps)
}

const ofClient = (clientId: string, reasons: readonly string[]): Audited[] =>
  reasons.map((reason) => ({ event: 'account changed', clientId, reason }))
