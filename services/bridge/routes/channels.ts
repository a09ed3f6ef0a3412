import { Type } from 'typebox'
import { instant, integer, list, object, oneOf, orNull, text } from '../../../packages/http/fields.ts'
import { readers, writers } from './callers.ts'
import { channelOf, channelParams } from './channel-param.ts'
import type { ChannelRecord } from '../listeners/channel-control.ts'
import { adminRoute } from './deps.ts'

const record = {
  id: text(),
  port: integer(),
  messageType: text(),
  status: oneOf(['STARTING', 'RUNNING', 'PAUSED', 'STOPPED', 'ERROR']),
  messagesReceived: integer(),
  messagesSucceeded: integer(),
  messagesFailed: integer(),
  lastMessageAt: orNull(instant()),
}

const ChannelView = object(record)

const ChannelStatsView = object({
  ...record,
  duplicates: integer(),
  queued: integer(),
  rejected: integer(),
  bytes: integer(),
  activeConnections: integer(),
  connectionsRefused: integer(),
  tlsFailures: integer(),
  framingErrors: integer(),
  ackCodes: Type.Record(Type.String(), Type.Integer()),
  byTrigger: Type.Record(Type.String(), Type.Integer()),
  durationMs: object({
    avg: Type.Number(),
    p50: Type.Number(),
    p95: Type.Number(),
    p99: Type.Number(),
    max: Type.Number(),
  }),
  rate: object({ m1: Type.Number(), m5: Type.Number(), m15: Type.Number() }),
  since: instant(),
})

const tags = ['Channels']

export const listChannels = adminRoute({
  method: 'GET',
  path: '/api/channels',
  who: readers,
  tags,
  summary: 'The eight channels',
  output: { 200: list(ChannelView) },
  run: async (_, { channels }) => (await channels.list()).map(channelView),
})

export const getChannel = adminRoute({
  method: 'GET',
  path: '/api/channels/:channelId',
  who: readers,
  tags,
  summary: 'One channel',
  input: { params: channelParams },
  output: { 200: ChannelView },
  run: async ({ params }, { channels }) => channelView(await channels.find(channelOf(params.channelId, channels))),
})

export const getChannelStats = adminRoute({
  method: 'GET',
  path: '/api/channels/:channelId/stats',
  who: readers,
  tags,
  summary: 'What went through a channel, how fast, and how it ended',
  input: { params: channelParams },
  output: { 200: ChannelStatsView },
  run: async ({ params }, { channels }) => {
    const id = channelOf(params.channelId, channels)
    const [one, stats] = await Promise.all([channels.find(id), channels.stats(id)])
    return { ...channelView(one), ...stats, since: stats.since.toISOString() }
  },
})

export const pauseChannel = adminRoute({
  method: 'POST',
  path: '/api/channels/:channelId/pause',
  who: writers,
  tags,
  summary: 'Stops listening: senders are refused and keep their messages; what is at work is finished and answered',
  input: { params: channelParams },
  output: { 200: ChannelView },
  run: async ({ params, caller, request }, { channels, audited }) => {
    const id = channelOf(params.channelId, channels)
    const action = { did: 'pause-channel', to: { kind: 'channel', id }, caller, request } as const
    await audited(action, () => channels.pause(id, caller.subject))
    return channelView(await channels.find(id))
  },
})

export const resumeChannel = adminRoute({
  method: 'POST',
  path: '/api/channels/:channelId/resume',
  who: writers,
  tags,
  summary: 'Listens again',
  input: { params: channelParams },
  output: { 200: ChannelView },
  run: async ({ params, caller, request }, { channels, audited }) => {
    const id = channelOf(params.channelId, channels)
    const action = { did: 'resume-channel', to: { kind: 'channel', id }, caller, request } as const
    await audited(action, () => channels.resume(id, caller.subject))
    return channelView(await channels.find(id))
  },
})

const channelView = ({ lastMessageAt, ...rest }: ChannelRecord) => ({
  ...rest,
  lastMessageAt: lastMessageAt?.toISOString() ?? null,
})
