import type { Fault } from '../../../packages/faults/fault.ts'
import { countedAddress } from '../../../packages/http/counted-address.ts'
import { isTheCallers, limitAnswers, limitFailures } from '../../../packages/http/rate-limit.ts'
import type { IncomingRequest } from '../../../packages/http/request.ts'
import type { AuthDeps } from '../deps.ts'
import { canBeClientId } from '../registration/client-rules.ts'
import { grantTypes } from '../store/clients.ts'
import { namedClient, type NamingFields } from './named-client.ts'

/**
 * Reference section 5: sixty failed requests a minute, by client and address. Secrets can be guessed, so who has failed to
 * prove itself too often is not looked at any more. Codes and refresh tokens cannot: what fails with them is told to wait,
 * and what does not is served (decision 1023). Behind the address of a service are all its users, and strangers can make
 * it present codes; they do not speak for the refresh tokens.
 */
export async function limitRequests<Result>(
  fields: NamingFields & { readonly grant_type?: string | undefined },
  request: IncomingRequest,
  deps: Pick<AuthDeps, 'limits' | 'knownClients'>,
  work: () => Promise<Result>,
): Promise<Result> {
  const { limits } = deps
  const key = `${await countedClient(namedClient(request, fields), deps)} ${countedAddress(request.peer)}`
  const kind = grantTypes.find((type) => type === fields.grant_type) ?? 'other'
  const proving = () => limitFailures(limits.client, key, work, isUnproven)
  return limitAnswers(limits.request, `${key} ${kind}`, proving, (fault) => isTheCallers(fault) && !isUnproven(fault))
}

/** Ids that nobody has count as one (decision 1060): a new one is made up in no time, and would never have failed. */
async function countedClient(named: string, { knownClients }: Pick<AuthDeps, 'knownClients'>): Promise<string> {
  if (named === '') return named
  const known = canBeClientId(named) ? await knownClients.find(named) : undefined
  // Not what a client can be called.
  return known?.clientId ?? '?'
}

const isUnproven = ({ kind, code }: Fault): boolean => kind === 'unauthenticated' || code === 'invalid_client'
