import { once } from 'node:events'
import { Client } from 'pg'
import type { Clock } from '../clock/clock.ts'
import type { Recurring } from '../clock/every.ts'
import { pause } from '../clock/pause.ts'
import type { Log } from '../log/log.ts'
import { connectionConfig, type ConnectionOptions } from './connection.ts'
import { reasonOf } from './database-fault.ts'
import { sql, type Statement } from './sql.ts'

/** What all processes on one database can tell each other of. */
export type NoticeChannel = 'corridor_patient_merges' | 'corridor_terminology'

/** Tells everybody who hears this channel, once the transaction is durable; the same text is told once. */
export const tellNotices = (channel: NoticeChannel, texts: readonly string[]): Statement =>
  sql`select pg_notify(${channel}, text) from unnest(${texts}::text[]) as text`

export interface HearOptions extends ConnectionOptions {
  readonly log: Log
  readonly clock: Clock
}

/** So long after a connection was lost or refused it is tried again. */
const againMs = 5_000

/**
 * Hears what is told on a channel, over a connection of its own. A hint and never the only way: what is told while there
 * is no connection is lost, and behind a pool of connections (PgBouncer's of transactions) nothing comes at all.
 */
export function hearNotices(channel: NoticeChannel, hear: (text: string) => void, options: HearOptions): Recurring {
  const { clock, log } = options
  const ended = new AbortController()
  const { signal } = ended
  const running = (async () => {
    while (!signal.aborted) {
      await hearUntilLost(channel, hear, signal, options).catch((thrown: unknown) => {
        // Whoever has ended it has broken the connection themselves.
        if (signal.aborted) return
        log.warn('notices of other processes are not heard', { channel, error: reasonOf(thrown) })
      })
      await pause(clock, againMs, signal)
    }
  })()
  return {
    end: async () => {
      ended.abort()
      await running
    },
  }
}

async function hearUntilLost(
  channel: NoticeChannel,
  hear: (text: string) => void,
  signal: AbortSignal,
  options: HearOptions,
): Promise<void> {
  const client = new Client({ ...connectionConfig(options), application_name: 'corridor notices' })
  const isOver = new AbortController()
  client.once('end', () => isOver.abort())
  // Said by the end as well; without a listener the event would end the process.
  client.on('error', () => {})
  client.on('notification', ({ payload = '' }) => hear(payload))
  // Without a good-bye: a server that went silent, or says nothing yet, would keep whoever stops waiting for its own.
  const hangUp = () => void client.connection.stream.destroy()
  signal.addEventListener('abort', hangUp, { once: true })
  try {
    await client.connect()
    await client.query(`listen ${channel}`)
    if (!signal.aborted) await once(AbortSignal.any([signal, isOver.signal]), 'abort')
  } finally {
    signal.removeEventListener('abort', hangUp)
    hangUp()
  }
}
