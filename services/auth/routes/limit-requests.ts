import { Fault } from '../../../packages/faults/fault.ts'
import { countedAddress } from '../../../packages/http/counted-address.ts'
import { isTheCallers, limitAnswers, limitFailures } from '../../../packages/http/rate-limit.ts'
import type { IncomingRequest } from '../../../packages/http/request.ts'
import { audit, whence, type AuditDeps } from '../audit/audit.ts'
import type { AuthDeps } from '../deps.ts'
import { grantTypes, type Client } from '../store/clients.ts'
import { namedClient, type NamingFields } from './named-client.ts'

/**
 * Reference section 5: sixty failed requests a minute, by client and address. Secrets can be guessed, so a client that has
 * failed to prove itself too often is not looked at any more. Tokens and codes cannot: what fails with them is told to wait,
 * and what does not is served (decision 1023). Behind the address of a service are all its users, and strangers can make
 * it present codes; they do not speak for the refresh tokens.
 */
export async function limitRequests<Result>(
  fields: NamingFields & { readonly grant_type?: string | undefined },
  request: IncomingRequest,
  deps: LimitDeps,
  work: () => Promise<Result>,
): Promise<Result> {
  const named = namedClient(request, fields)
  const client = await deps.knownClients.find(named)
  const key = `${client?.clientId ?? nobody(named)} ${countedAddress(request.peer)}`
  const kind = grantTypes.find((type) => type === fields.grant_type) ?? 'other'
  const whose = { key, client, request }
  const isGuess = named !== '' && mayBeGuessed(client)
  const proving = () => (isGuess ? limitGuesses(whose, deps, work) : limitUnproven(whose, deps, work))
  const counts = (fault: Fault) => isTheCallers(fault) && !isUnproven(fault)
  return limitAnswers(deps.limits.request, `${key} ${kind}`, proving, counts)
}

type LimitDeps = AuditDeps & Pick<AuthDeps, 'limits' | 'knownClients'>

interface Whose {
  readonly key: string
  readonly client: Client | undefined
  readonly request: IncomingRequest
}

/**
 * Who names no client, or one that has nothing to prove or proves itself by signatures, guesses at nothing (decision 1191).
 * Of one that is not known nothing is said.
 */
const mayBeGuessed = (client: Client | undefined): boolean =>
  client === undefined || client.authMethods.some((method) => method.startsWith('client_secret'))

/** Ids that nobody has count as one (decision 1060): a new one is made up in no time, and would never have failed. */
const nobody = (named: string): string => (named === '' ? '' : '?')

/** Not looked at any more after too many, right or wrong. */
function limitGuesses<Result>(whose: Whose, deps: LimitDeps, work: () => Promise<Result>): Promise<Result> {
  const noted = () => work().catch((thrown: unknown) => noteUnproven(thrown, whose, deps))
  return limitFailures(deps.limits.client, whose.key, noted, isUnproven)
}

/** Looked at first; what fails is counted and written down as often as guesses are. */
function limitUnproven<Result>(whose: Whose, deps: LimitDeps, work: () => Promise<Result>): Promise<Result> {
  return work().catch((thrown: unknown) => {
    if (!(thrown instanceof Fault) || !isUnproven(thrown)) throw thrown
    return limitFailures(deps.limits.client, whose.key, () => noteUnproven(thrown, whose, deps), isUnproven)
  })
}

async function noteUnproven(thrown: unknown, { client, request }: Whose, deps: LimitDeps): Promise<never> {
  if (thrown instanceof Fault && thrown.code === 'invalid_client') {
    const about = { clientId: client?.clientId, ...whence(request) }
    await audit({ event: 'client authentication failed', outcome: 'failure', ...about }, deps)
  }
  throw thrown
}

const isUnproven = ({ kind, code }: Fault): boolean => kind === 'unauthenticated' || code === 'invalid_client'
