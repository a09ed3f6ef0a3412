import type { Queryable } from '../../../../packages/sql/database.ts'
import type { ChannelId } from '../../pipeline/channel.ts'
import type { ChannelRecord } from '../../listeners/channel-control.ts'
import { busySpans } from '../../store/silence.ts'

/** After so long without a message a channel is silent, if there usually are some. */
export const silentMinutes = 15

const silentMs = silentMinutes * 60_000
const dayMs = 86_400_000
/** Usual is what happened on most of the days before; a younger bridge goes by the two hours before it fell silent. */
const daysLookedAt = 7
const daysBusyMin = 4
const spansLookedAt = 8
const spansBusyMin = 6

/** The channels that are silent although messages usually come at this time. One that does not listen is not silent. */
export async function silentChannels(
  channels: readonly (ChannelRecord & { readonly since: Date })[],
  now: Date,
  on: Queryable,
): Promise<ReadonlySet<ChannelId>> {
  const quiet = channels.filter(
    ({ status, lastMessageAt }) =>
      status === 'RUNNING' && lastMessageAt !== undefined && now.getTime() - lastMessageAt.getTime() >= silentMs,
  )
  if (quiet.length === 0) return new Set()
  const isOld = ({ since }: { readonly since: Date }) => now.getTime() - since.getTime() >= daysLookedAt * dayMs
  const [old, young] = [quiet.filter(isOld), quiet.filter((channel) => !isOld(channel))]
  const days = Array.from({ length: daysLookedAt }, (_, day) => spanBefore(now.getTime() - (day + 1) * dayMs))
  const [usual, ...lately] = await Promise.all([
    busySpans(
      days,
      old.map(({ id }) => id),
      on,
    ),
    ...young.map(async ({ id, lastMessageAt = now }) => {
      const spans = Array.from({ length: spansLookedAt }, (_, index) =>
        spanBefore(lastMessageAt.getTime() + 1 - index * silentMs),
      )
      return { id, busy: (await busySpans(spans, [id], on)).get(id) ?? 0 }
    }),
  ])
  return new Set([
    ...old.filter(({ id }) => (usual.get(id) ?? 0) >= daysBusyMin).map(({ id }) => id),
    ...lately.filter(({ busy }) => busy >= spansBusyMin).map(({ id }) => id),
  ])
}

const spanBefore = (endMs: number) => ({ from: new Date(endMs - silentMs), to: new Date(endMs) })
