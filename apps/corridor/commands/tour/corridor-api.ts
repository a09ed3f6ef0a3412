import type { Clock } from '../../../../packages/clock/clock.ts'
import { incorrect, unavailable } from '../../../../packages/faults/fault.ts'
import type { Configuration } from '../../configuration.ts'
import type { ServiceName } from '../../service-names.ts'

interface ApiDeps {
  readonly configuration: Configuration
  readonly clock: Clock
  /** Ends what is under way when the visitor leaves. */
  readonly stop: AbortSignal
}

/** The HTTP interfaces of a running Corridor, as one of the demo's service accounts. */
export interface CorridorApi {
  get<Answer>(service: ServiceName, path: string): Promise<Answer>
  send<Answer>(method: 'POST' | 'PUT' | 'PATCH', service: ServiceName, path: string, body?: object): Promise<Answer>
}

/** Every secret of the demo is `demo`. */
export async function signIn(clientId: string, deps: ApiDeps): Promise<CorridorApi> {
  const { url } = deps.configuration.auth
  const answer = await exchange(
    `${url}/oauth2/token`,
    {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`${clientId}:demo`).toString('base64')}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    },
    deps,
  )
  if (!answer.ok) {
    throw incorrect(
      `The account ${clientId} of the demo cannot sign in at ${url}. The tour is for a Corridor in demo mode: ` +
        'start one with npm start, or name its configuration with --config.',
    )
  }
  // Sound: it is the answer of our own token endpoint.
  const { access_token: token } = (await answer.json()) as { access_token: string }
  return apiOf(`Bearer ${token}`, deps)
}

function apiOf(authorization: string, deps: ApiDeps): CorridorApi {
  const call = async <Answer>(method: string, service: ServiceName, path: string, body?: object): Promise<Answer> => {
    const url = `${deps.configuration[service].url}${path}`
    const content = service === 'fhir' ? 'application/fhir+json' : 'application/json'
    const headers = { authorization, accept: content, ...(body === undefined ? {} : { 'content-type': content }) }
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const answer = await exchange(url, { method, headers, ...sent }, deps)
    // Sound: whoever calls names the shape of our own answer; a test runs all of them.
    if (answer.ok) return (await answer.json()) as Answer
    throw unavailable(
      `${method} ${url} was answered with ${answer.status}${await detailOf(answer)}. ` +
        `See ${deps.configuration[service].url}/docs, and what Corridor wrote on its standard error.`,
    )
  }
  return { get: (service, path) => call('GET', service, path), send: call }
}

async function exchange(url: string, init: RequestInit, { clock, stop }: ApiDeps): Promise<Response> {
  using deadline = clock.deadline(answerWithinMs)
  try {
    return await fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.any([deadline.signal, stop]) })
  } catch (error) {
    stop.throwIfAborted()
    throw unavailable(`${url} gave no answer. Is Corridor still running? Look at its terminal, then try again.`, {
      cause: error,
    })
  }
}

/** The sentence of a problem document or an OperationOutcome. */
async function detailOf(answer: Response): Promise<string> {
  // Sound: the two shapes of our own refusals; anything else has neither.
  const body = (await answer.json().catch(() => ({}))) as {
    readonly detail?: string
    readonly issue?: readonly { readonly diagnostics?: string }[]
  }
  const said = body.detail ?? body.issue?.[0]?.diagnostics
  return said === undefined ? '' : `: ${said.replace(/\.$/, '')}`
}

const answerWithinMs = 30_000
