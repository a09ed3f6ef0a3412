import type { ChannelRecord, ChannelStats } from './channel-control.ts'
import type { ChannelListener } from './channel-listener.ts'
import type { ChannelCount, RecentFigures } from './channel-store.ts'

type Listening = Pick<ChannelListener, 'settings' | 'port' | 'status' | 'connections'>

export function channelRecord(listener: Listening, counts: readonly ChannelCount[]): ChannelRecord {
  const value = valueIn(counts)
  return {
    id: listener.settings.channel.id,
    port: listener.port,
    messageType: listener.settings.channel.messageTypes[0] ?? '',
    status: listener.status,
    messagesReceived: value('received'),
    messagesSucceeded: value('succeeded'),
    messagesFailed: value('failed'),
    lastMessageAt: counts.find(({ name }) => name === 'received')?.lastAt,
  }
}

export function channelStats(
  listener: Listening,
  counts: readonly ChannelCount[],
  recent: RecentFigures,
  now: Date,
): ChannelStats {
  const value = valueIn(counts)
  const { avg, p50, p95, p99, max, m1, m5, m15 } = recent
  return {
    duplicates: value('duplicates'),
    queued: value('queued'),
    rejected: value('rejected'),
    bytes: value('bytes'),
    activeConnections: listener.connections,
    connectionsRefused: value('connectionsRefused'),
    tlsFailures: value('tlsFailures'),
    framingErrors: value('framingErrors'),
    ackCodes: { ...noAnswers, ...under('ack.', counts) },
    byTrigger: under('trigger.', counts),
    durationMs: { avg: avg ?? 0, p50: p50 ?? 0, p95: p95 ?? 0, p99: p99 ?? 0, max: max ?? 0 },
    rate: { m1: m1 / 60, m5: m5 / 300, m15: m15 / 900 },
    since: counts.reduce((first, { since }) => (since < first ? since : first), now),
  }
}

/** Whoever reads these finds a number, also before the first message. */
const noAnswers = { AA: 0, AE: 0, AR: 0 }

const valueIn =
  (counts: readonly ChannelCount[]) =>
  (wanted: string): number =>
    counts.find(({ name }) => name === wanted)?.value ?? 0

/** `ack.AA` and `ack.AE` under `ack.` are `{ AA, AE }`. */
function under(prefix: string, counts: readonly ChannelCount[]): Record<string, number> {
  const own = counts.filter(({ name }) => name.startsWith(prefix))
  return Object.fromEntries(own.map(({ name, value }) => [name.slice(prefix.length), value]))
}
