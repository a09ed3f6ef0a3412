import { incorrect, unauthenticated } from '../../../packages/faults/fault.ts'
import { headerOf, type IncomingRequest } from '../../../packages/http/request.ts'
import { isSecretOf } from '../registration/client-secret.ts'
import type { AuthMethod, Client } from '../store/clients.ts'
import { assertionType, clientOfAssertion, type AssertionDeps } from './client-assertion.ts'
import { otherWay } from './registered-way.ts'

/** The form fields by which a client names and proves itself. */
export interface ClientFields {
  readonly client_id?: string | undefined
  readonly client_secret?: string | undefined
  readonly client_assertion?: string | undefined
  readonly client_assertion_type?: string | undefined
}

/** What a client is told that owes a proof and gives none. */
export type Unproven = typeof incorrect | typeof unauthenticated

/** Who calls, by any of the four ways; `undefined` where nothing in the request names a client. */
export async function authenticateClient(
  request: IncomingRequest,
  fields: ClientFields,
  deps: AssertionDeps,
  unproven: Unproven = incorrect,
): Promise<Client | undefined> {
  const basic = basicCredentials(request)
  const ways = [basic, fields.client_secret, fields.client_assertion].filter((way) => way !== undefined)
  if (ways.length > 1) throw incorrect('Use only one method of client authentication.', { code: 'invalid_request' })
  if (basic !== undefined) return byBasic(basic, fields, deps)
  if (fields.client_assertion !== undefined || fields.client_assertion_type !== undefined) {
    return byAssertion(fields, deps)
  }
  if (fields.client_id === undefined) return undefined
  return byForm(fields.client_id, fields.client_secret, unproven, deps)
}

interface Credentials {
  readonly clientId: string
  /** What was sent may mean: decoded, and as it is where that is something else. */
  readonly secrets: readonly string[]
}

async function byBasic({ clientId, secrets }: Credentials, fields: ClientFields, deps: AssertionDeps): Promise<Client> {
  const isProven = (known: Client) => secrets.some((secret) => proves('client_secret_basic', secret, deps)(known))
  const client = await deps.knownClients.findProven(clientId, (known) => isProven(known) || isOnlyNamed(known, secrets))
  if (client === undefined) {
    throw unauthenticated(await unprovenBy('client_secret_basic', clientId, deps), { code: 'invalid_client' })
  }
  if ((fields.client_id ?? clientId) === clientId) return client
  throw unauthenticated('The header names another client than client_id.', { code: 'invalid_client' })
}

/** Libraries that know no other way (Go's oauth2 among them) name a public client in the header, with no secret. */
const isOnlyNamed = ({ authMethods }: Client, secrets: readonly string[]): boolean =>
  secrets.every((secret) => secret === '') && authMethods.includes('none')

async function byAssertion(fields: ClientFields, deps: AssertionDeps): Promise<Client> {
  if (fields.client_assertion_type !== assertionType || fields.client_assertion === undefined) {
    throw unauthenticated(`Send client_assertion with client_assertion_type ${assertionType}.`, {
      code: 'invalid_client',
    })
  }
  const client = await clientOfAssertion(fields.client_assertion, deps)
  if ((fields.client_id ?? client.clientId) === client.clientId) return client
  throw unauthenticated('The client assertion is of another client.', { code: 'invalid_client' })
}

/** Without a header the specification's 400 stands. */
async function byForm(
  clientId: string,
  secret: string | undefined,
  unproven: Unproven,
  deps: AssertionDeps,
): Promise<Client> {
  if (secret !== undefined) {
    const proven = await deps.knownClients.findProven(clientId, proves('client_secret_post', secret, deps))
    if (proven !== undefined) return proven
    throw incorrect(await unprovenBy('client_secret_post', clientId, deps), { code: 'invalid_client' })
  }
  const client = await deps.knownClients.find(clientId)
  if (client === undefined) throw incorrect('The client_id is not registered.', { code: 'invalid_client' })
  if (client.authMethods.includes('none')) return client
  throw unproven(`This client must prove itself by ${client.authMethods.join(' or ')}.`, { code: 'invalid_client' })
}

/** That a secret is wrong is told of no client that may have one; by which way one proves itself is no secret. */
async function unprovenBy(tried: AuthMethod, clientId: string, { knownClients }: AssertionDeps): Promise<string> {
  const known = await knownClients.find(clientId)
  const other = known === undefined ? undefined : otherWay(known, tried)
  return other ?? 'The client is unknown or its secret is wrong.'
}

const proves =
  (method: AuthMethod, secret: string, { clock }: AssertionDeps) =>
  (client: Client): boolean =>
    client.authMethods.includes(method) && isSecretOf(client, secret, clock.now())

/**
 * RFC 6749 section 2.3.1: both halves are form-encoded before they are put together. Half of the libraries do not (curl,
 * fhirclient and Inferno among them), and a secret of base64 mostly has a plus sign: so it is taken either way.
 */
export function basicCredentials(request: IncomingRequest): Credentials | undefined {
  const encoded = /^basic +([A-Za-z0-9+/]+=*)$/i.exec(headerOf(request, 'authorization')?.trim() ?? '')?.[1]
  if (encoded === undefined) return undefined
  const text = Buffer.from(encoded, 'base64').toString()
  const colon = text.indexOf(':')
  if (colon < 0) return { clientId: '', secrets: [''] }
  const sent = text.slice(colon + 1)
  return { clientId: formDecoded(text.slice(0, colon)), secrets: [...new Set([formDecoded(sent), sent])] }
}

function formDecoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}
