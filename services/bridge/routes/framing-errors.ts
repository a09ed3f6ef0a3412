import { Type } from 'typebox'
import { instant, integer, list, object, oneOf, text } from '../../../packages/http/fields.ts'
import { framingErrorsOf } from '../store/framing-errors.ts'
import { recordLook } from '../store/looks.ts'
import { writers } from './callers.ts'
import { channelOf, channelParams } from './channel-param.ts'
import { adminRoute } from './deps.ts'

const FramingErrorView = object({
  at: instant(),
  kind: oneOf(['noise', 'resync', 'oversize', 'cut'], {
    description:
      'Bytes outside of a frame; a frame that began within another; one that was too large; one that broke off.',
  }),
  peer: text({ description: 'The address that they came from.' }),
  length: integer({ description: 'How many bytes there were.' }),
  firstBytes: Type.String({ description: 'The first 4 KiB of them, in Base64.' }),
})

export const listFramingErrors = adminRoute({
  method: 'GET',
  path: '/api/channels/:channelId/framing-errors',
  who: writers,
  tags: ['Channels'],
  summary: 'How the last bytes began that were no message, the newest first; the look is recorded',
  input: { params: channelParams },
  output: { 200: list(FramingErrorView) },
  run: async ({ params, caller, request }, deps) => {
    const channel = channelOf(params.channelId, deps.channels)
    await recordLook({ caller, transactionId: '', what: 'noise', requestId: request.id }, deps)
    const errors = await framingErrorsOf(channel, deps.database)
    return errors.map(({ at, kind, peer, length, head }) => {
      return { at: at.toISOString(), kind, peer, length, firstBytes: Buffer.from(head).toString('base64') }
    })
  },
})
