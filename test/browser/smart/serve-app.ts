import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const clientId = 'chart-app'

export interface ServedApp extends AsyncDisposable {
  readonly url: string
}

/** What `callback.html` leaves in `window.seen`. */
export interface Seen {
  readonly error?: string
  readonly launched: Reading
  readonly refreshed: Reading
}

interface Reading {
  readonly patient: string
  readonly patientId: string
  readonly encounterId: string | null
  readonly user: string
  readonly fhirUser: string
  readonly accessToken: string
  readonly refreshToken: string
}

/** A SMART app somewhere else: two pages and the browser bundle of fhirclient as its authors built it. */
export async function serveApp(): Promise<ServedApp> {
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    // Sound: a TCP server that listens has an address and a port.
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const content = await contentOf(new URL(request.url ?? '/', 'http://app').pathname)
  response.writeHead(content === undefined ? 404 : 200, { 'content-type': content?.type ?? 'text/plain' })
  response.end(content?.body)
}

interface Content {
  readonly type: string
  readonly body: string | Buffer
}

async function contentOf(path: string): Promise<Content | undefined> {
  if (path === '/settings.json') return { type: 'application/json', body: JSON.stringify({ clientId }) }
  const file = files[path]
  return file === undefined ? undefined : { type: file.type, body: await readFile(file.at) }
}

const fhirClient = dirname(createRequire(import.meta.url).resolve('fhirclient/package.json'))
const here = fileURLToPath(new URL('.', import.meta.url))

const files: Readonly<Record<string, { readonly type: string; readonly at: string }>> = {
  '/launch': { type: 'text/html', at: join(here, 'launch.html') },
  '/callback': { type: 'text/html', at: join(here, 'callback.html') },
  '/fhir-client.js': { type: 'text/javascript', at: join(fhirClient, 'build', 'fhir-client.js') },
}
