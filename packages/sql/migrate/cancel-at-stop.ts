import { Client } from 'pg'
import { connectionConfig } from '../connection.ts'

/**
 * Until it is disposed, a stop ends the statement that the client has in work: building an index may take an hour, and
 * whoever stops Corridor waits ten seconds. Inside a transaction only: behind a pooler the next one may be elsewhere.
 */
export async function cancelAtStop(client: Client, url: string, stop: AbortSignal): Promise<AsyncDisposable> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  let cancelling: Promise<void> | undefined
  const onStop = () => {
    // Where nobody can be asked to cancel it, the connection goes, and the server rolls back when it notices.
    cancelling = cancel(rows[0]?.pid, url).catch(() => client.end())
  }
  stop.throwIfAborted()
  stop.addEventListener('abort', onStop, { once: true })
  return {
    async [Symbol.asyncDispose]() {
      stop.removeEventListener('abort', onStop)
      await cancelling
    },
  }
}

/** From another connection: this one hears nothing until its statement is over. */
async function cancel(pid: number | undefined, url: string): Promise<void> {
  const other = new Client(connectionConfig({ url, applicationName: 'corridor stop', statementTimeoutMs: 2_000 }))
  other.on('error', () => {}) // the statement in flight reports it
  try {
    await other.connect()
    await other.query('select pg_cancel_backend($1)', [pid])
  } finally {
    await other.end()
  }
}
