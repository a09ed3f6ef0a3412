import { reply } from '../../../packages/http/answer.ts'
import { streamed } from '../../../packages/http/content.ts'
import { readers } from './callers.ts'
import { adminRoute } from './deps.ts'

export const watchEvents = adminRoute({
  method: 'GET',
  path: '/api/events',
  who: readers,
  tags: ['Live'],
  summary: 'What happens, as Server-Sent Events: message, channel, breaker and flow',
  description:
    'Begins with the state of all channels and breakers. Messages are those that this copy of the bridge ends, at most a hundred a second one by one; `flow` counts all. The stream ends with the token that it was asked for with, and one caller has eight at most. No event holds anything that a message says of a patient.',
  output: { 200: streamed('text/event-stream') },
  // Proxies that gather an answer before they pass it on would make it anything but live.
  run: ({ caller }, { live }) => reply(200, live.watchFor(caller), { 'x-accel-buffering': 'no' }),
})
