import { later } from '../../../packages/clock/later.ts'
import { loadDefinitions } from '../../../packages/fhir/definitions.ts'
import { assert, conflict, missing } from '../../../packages/faults/fault.ts'
import type { DeclaredClient } from '../registration/client-fields.ts'
import { declareClients } from '../registration/declare.ts'
import { originsOf, registeredClient } from '../registration/declared-client.ts'
import { personsId } from '../registration/refusals.ts'
import { changesOfClient, losesProof } from '../registration/what-changed.ts'
import { revoking } from '../revocation/revoking.ts'
import { digestOf } from '../secrets/digest.ts'
import { servableScopes } from '../servable-scopes.ts'
import {
  bringClientBack,
  disableClients,
  isSubject,
  listClients,
  lockClients,
  replaceSecret,
  saveClient,
  type Client,
} from '../store/clients.ts'
import { revokeGrantsOfClients, revokeOwnGrants } from '../store/grants.ts'
import { lockUsers } from '../store/users.ts'
import { auditChange } from './audit-change.ts'
import { declaringSources, type CliDeps } from './cli-deps.ts'

/** A client without anything that lets somebody in. */
type ClientDescription = Omit<Client, 'secretHash' | 'retiringSecretHash' | 'retiringUntil' | 'ownGrantId'>

/** A new secret is shown once; only its hash is kept. */
interface NewSecret {
  readonly clientId: string
  readonly secret: string
  /** To declare the same client in a configuration file. */
  readonly secretHash: string
}

/** The same, where a client may need none. */
interface WithSecret {
  readonly clientId: string
  readonly secret: string | undefined
  readonly secretHash: string | undefined
}

/** `corridor clients list` */
export async function describeClients({ database }: Pick<CliDeps, 'database'>): Promise<readonly ClientDescription[]> {
  const clients = await listClients(database)
  return clients.map(
    ({ secretHash: _secret, retiringSecretHash: _old, retiringUntil: _until, ownGrantId: _own, ...shown }) => shown,
  )
}

/**
 * `corridor clients add`: the same fields as in the configuration; a secret is made where the client needs one. One that
 * was disabled comes back, as what it is added as now.
 */
export async function addClient(options: Partial<DeclaredClient>, deps: CliDeps): Promise<WithSecret> {
  const { database, clock, ids } = deps
  const needsSecret = options.authMethods?.some((method) => method.startsWith('client_secret')) === true
  const secret = needsSecret ? ids.secret() : undefined
  const secretHash = secret === undefined ? undefined : `sha256:${digestOf(secret)}`
  const [declared] = declareClients([{ ...options, clientSecretHash: secretHash }])
  assert(declared !== undefined, 'a record that was read is not there')
  const isServable = servableScopes(await loadDefinitions())
  const client = await registeredClient(declared, 'command', { ...deps, isServable })
  const { clientId } = client
  await database.transaction(async (tx) => {
    await lockUsers(tx)
    if (await isSubject(clientId, tx)) throw personsId(clientId)
    if ((await saveClient(client, clock.now(), tx)) === undefined) {
      throw conflict(`There is a client ${clientId} already: \`corridor clients list\` shows it.`, {
        code: 'ALREADY_EXISTS',
      })
    }
    await auditChange(tx, { account: { clientId }, reason: 'client added' }, deps)
  })
  return { clientId, secret, secretHash }
}

/**
 * `corridor clients change`: what is said replaces what was registered, all else stays, and so does what users granted; each
 * refresh gives what is still within it (decision 0974). What no longer proves the client ends what was had with it.
 */
export async function changeClient(
  clientId: string,
  said: Partial<DeclaredClient>,
  deps: CliDeps,
): Promise<WithSecret> {
  const { database, clock, ids } = deps
  const isServable = servableScopes(await loadDefinitions())
  return database.transaction(async (tx) => {
    const before = (await lockClients(tx)).find((client) => client.clientId === clientId)
    if (before?.source !== 'command' || before.status !== 'active') throw notAddedHere(clientId, 'client')
    const authMethods = said.authMethods ?? before.authMethods
    const needsSecret = authMethods.some((method) => method.startsWith('client_secret'))
    const secret = needsSecret && before.secretHash === null ? ids.secret() : undefined
    const made = secret === undefined ? undefined : `sha256:${digestOf(secret)}`
    const clientSecretHash = needsSecret ? (before.secretHash ?? made) : undefined
    const [declared] = declareClients([{ ...asDeclared(before, said), ...said, clientSecretHash }])
    assert(declared !== undefined, 'a record that was read is not there')
    const client = await registeredClient(declared, 'command', { ...deps, isServable })
    const [reason] = changesOfClient(before, client)
    if (reason === undefined) return { clientId, secret: undefined, secretHash: undefined }
    await saveClient(client, clock.now(), tx, { changesActive: true })
    const ended = losesProof(before, client) ? await revokeOwnGrants([clientId], revoking(deps), tx) : []
    await auditChange(tx, { account: { clientId }, reason, ended }, deps)
    return { clientId, secret, secretHash: made }
  })
}

/** A client as somebody would have declared it who then said otherwise: of two ways for the same, what is said counts. */
function asDeclared(client: Client, { jwks, jwksUri }: Partial<DeclaredClient>): Partial<DeclaredClient> {
  const { secretHash: _secret, retiringSecretHash: _old, retiringUntil: _until, ownGrantId: _own, ...shown } = client
  const { source: _source, status: _status, isDisabledByCommand: _by, ...fields } = shown
  const hasOtherKeys = jwks !== undefined || jwksUri !== undefined
  const known = {
    ...fields,
    jwks: hasOtherKeys || client.jwks === null ? null : JSON.stringify(client.jwks),
    jwksUri: hasOtherKeys ? null : client.jwksUri,
    // Those of its addresses follow from them.
    allowedOrigins: client.allowedOrigins.filter((origin) => !originsOf(client.redirectUris).includes(origin)),
  }
  // What a client has none of is null in its row, and left out where it is declared.
  return Object.fromEntries(Object.entries(known).filter(([, value]) => value !== null))
}

const seeList = '`corridor clients list` shows all'

/** `corridor clients disable`: nothing is left that it could use. One that is declared stays so over a start. */
export async function disableClient(clientId: string, deps: CliDeps): Promise<void> {
  await deps.database.transaction(async (tx) => {
    const [disabled] = await disableClients([clientId], 'command', deps.clock.now(), tx)
    if (disabled === undefined) throw missing(`There is no active client ${clientId}: ${seeList}.`)
    const ended = await revokeGrantsOfClients([clientId], revoking(deps), tx)
    await auditChange(tx, { account: { clientId }, reason: 'client disabled', ended }, deps)
  })
}

/** `corridor clients enable`: one that is declared and that a command disabled is served again, as it is declared. */
export async function enableClient(clientId: string, deps: CliDeps): Promise<void> {
  await deps.database.transaction(async (tx) => {
    await lockUsers(tx)
    if (await isSubject(clientId, tx)) throw personsId(clientId)
    if (!(await bringClientBack(clientId, declaringSources(deps), deps.clock.now(), tx))) {
      throw missing(
        `There is no declared client ${clientId} that a command disabled: ${seeList}; one that was added by a command is added again.`,
      )
    }
    await auditChange(tx, { account: { clientId }, reason: 'client enabled' }, deps)
  })
}

const notAddedHere = (clientId: string, what: 'client' | 'client with a secret') =>
  missing(
    `There is no active ${what} ${clientId} that was added here: ${seeList}; declared ones are changed in the configuration.`,
  )

/**
 * `corridor clients secret`: a new one; the old one serves for another day unless said. Where it must not serve any
 * longer, what was had with it is worth nothing either.
 */
export async function renewSecret(
  options: { readonly clientId: string; readonly overlapSeconds?: number },
  deps: CliDeps,
): Promise<NewSecret> {
  const { clientId, overlapSeconds = 86_400 } = options
  const { database, clock, ids } = deps
  const secret = ids.secret()
  const secretHash = `sha256:${digestOf(secret)}`
  const now = clock.now()
  await database.transaction(async (tx) => {
    if (!(await replaceSecret(clientId, secretHash, later(now, overlapSeconds), now, tx))) {
      throw notAddedHere(clientId, 'client with a secret')
    }
    const ended = overlapSeconds === 0 ? await revokeOwnGrants([clientId], revoking(deps), tx) : []
    await auditChange(tx, { account: { clientId }, reason: 'client secret renewed', ended }, deps)
  })
  return { clientId, secret, secretHash }
}
