import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Takes deliveries and counts them by their key, as a receiver does that wants to see each once. */
export async function countingReceiver(): Promise<CountingReceiver> {
  const taken = new Map<string, number>()
  const server = createServer((request, answer) => {
    request.resume().on('end', () => {
      const key = String(request.headers['idempotency-key'])
      taken.set(key, (taken.get(key) ?? 0) + 1)
      answer.writeHead(200).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    // Sound: it listens on a port, not on a path.
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    taken,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

export interface CountingReceiver extends AsyncDisposable {
  readonly url: string
  /** How often each key came. */
  readonly taken: ReadonlyMap<string, number>
}
