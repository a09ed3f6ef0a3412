import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { Resource } from '../../../packages/fhir/r4.ts'

/** How the server behaves; a test changes it as it goes. */
interface Behaviour {
  patient: string | undefined
  expiresInSeconds: number
  /** What the token endpoint says to a refresh. */
  refresh: 'grant' | 'invalid_grant' | 'server_error' | 'hang up' | 'say nothing'
  hasRefreshToken: boolean
  /** What the revocation endpoint answers. */
  revocationStatus: number
  /** A status for every call about a type, in place of its answer. */
  readonly fhirStatus: Map<string, number>
  readonly resources: Resource[]
  /** Resources on one page of a search. */
  pageSize: number
  /** Tokens that the FHIR server no longer takes. */
  readonly refused: Set<string>
  nextPageElsewhere: boolean
}

/** An authorization server and a FHIR server in one, of another author: nothing of it is Corridor's. */
export async function startSmallSmartServer() {
  const behaviour: Behaviour = {
    ...{
      patient: 'p1',
      expiresInSeconds: 3_600,
      refresh: 'grant',
      hasRefreshToken: true,
      pageSize: 200,
      revocationStatus: 200,
    },
    ...{ fhirStatus: new Map(), resources: [], refused: new Set(), nextPageElsewhere: false },
  }
  const seen = {
    ...{ refreshes: 0, latestToken: '' },
    ...{
      exchanges: [] as URLSearchParams[],
      revocations: [] as URLSearchParams[],
      fhirCalls: [] as string[],
      written: [] as Resource[],
    },
  }
  const usedRefreshTokens = new Set<string>()
  let tokens = 0
  const server = createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
  const base = `${url}/fhir`

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const target = new URL(request.url ?? '/', url)
    const send = (status: number, body: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    if (target.pathname === '/fhir/.well-known/smart-configuration') {
      const revocation = { revocation_endpoint: `${url}/revoke` }
      return send(200, { authorization_endpoint: `${url}/authorize`, token_endpoint: `${url}/token`, ...revocation })
    }
    if (target.pathname === '/authorize') {
      const back = new URL(target.searchParams.get('redirect_uri') ?? '')
      back.searchParams.set('code', 'a-code')
      back.searchParams.set('state', target.searchParams.get('state') ?? '')
      return void response.writeHead(302, { location: back.href }).end()
    }
    if (target.pathname === '/revoke') {
      seen.revocations.push(new URLSearchParams(await bodyOf(request)))
      return send(behaviour.revocationStatus, {})
    }
    if (target.pathname === '/token') return grant(new URLSearchParams(await bodyOf(request)), send, response)
    return fhir(request, target, send)
  }

  function grant(form: URLSearchParams, send: Send, response: ServerResponse): void {
    const isRefresh = form.get('grant_type') === 'refresh_token'
    if (isRefresh) seen.refreshes++
    else seen.exchanges.push(form)
    if (isRefresh && behaviour.refresh === 'hang up') return void response.destroy()
    if (isRefresh && behaviour.refresh === 'say nothing') return
    if (isRefresh && behaviour.refresh !== 'grant') return send(400, { error: behaviour.refresh })
    const used = form.get('refresh_token') ?? ''
    // Good once, as rotating refresh tokens are.
    if (isRefresh && usedRefreshTokens.has(used)) return send(400, { error: 'invalid_grant' })
    usedRefreshTokens.add(used)
    const number = ++tokens
    seen.latestToken = `access-${number}`
    return send(200, {
      ...{ access_token: `access-${number}`, token_type: 'Bearer', expires_in: behaviour.expiresInSeconds },
      ...{ scope: 'patient/*.rs patient/ImmunizationRecommendation.cu', need_patient_banner: true },
      ...(behaviour.hasRefreshToken ? { refresh_token: `refresh-${number}` } : {}),
      ...(behaviour.patient === undefined ? {} : { patient: behaviour.patient }),
    })
  }

  async function fhir(request: IncomingMessage, target: URL, send: Send): Promise<void> {
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
    const [, , type = '', id] = target.pathname.split('/')
    seen.fhirCalls.push(`${request.method} ${target.pathname}${target.search}`)
    if (!token.startsWith('access-') || behaviour.refused.has(token)) return send(401, outcome)
    const status = behaviour.fhirStatus.get(type)
    if (status !== undefined) return send(status, outcome)
    if (request.method !== 'GET') {
      const resource = JSON.parse(await bodyOf(request)) as Resource
      seen.written.push(resource)
      return send(201, { ...resource, id: 'written-1' })
    }
    const ofType = behaviour.resources.filter(({ resourceType }) => resourceType === type)
    if (id === undefined) return send(200, searchset(ofType, target))
    const found = ofType.find((resource) => resource.id === id)
    return found === undefined ? send(404, outcome) : send(200, found)
  }

  function searchset(found: readonly Resource[], target: URL) {
    const from = Number(target.searchParams.get('from') ?? 0)
    const next = new URL(target)
    next.searchParams.set('from', String(from + behaviour.pageSize))
    const elsewhere = 'http://elsewhere.example/fhir?_getpages=2'
    return {
      resourceType: 'Bundle',
      type: 'searchset',
      entry: found.slice(from, from + behaviour.pageSize).map((resource) => ({ resource, search: { mode: 'match' } })),
      link:
        from + behaviour.pageSize < found.length
          ? [{ relation: 'next', url: behaviour.nextPageElsewhere ? elsewhere : next.href }]
          : [],
    }
  }

  return {
    ...{ url, base, behaviour, seen },
    async [Symbol.asyncDispose](): Promise<void> {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export type SmallSmartServer = Awaited<ReturnType<typeof startSmallSmartServer>>

type Send = (status: number, body: unknown) => void

const outcome = { resourceType: 'OperationOutcome', issue: [{ severity: 'error', code: 'processing' }] }

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}
