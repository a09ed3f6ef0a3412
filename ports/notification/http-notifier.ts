import type { Clock } from '../../packages/clock/clock.ts'
import { assert, unavailable, unreachable } from '../../packages/faults/fault.ts'
import type { Outbound, OutboundRequest } from '../../packages/http/outbound/outbound.ts'
import type { Notification, Notifier, Recipient } from './notification.ts'
import { webhookHeaders } from './webhook-signature.ts'

export interface HttpNotifierOptions {
  readonly outbound: Pick<Outbound, 'send'>
  /** Takes `{id, to, text}` and sends it on as a short message. Without one nobody is reached by phone. */
  readonly smsGateway: Gateway | undefined
  /** Takes `{id, to, subject, text}` and sends it on as e-mail. */
  readonly emailGateway: Gateway | undefined
  readonly clock: Clock
  readonly deadlineMs?: number
}

export interface Gateway {
  readonly url: string
  /** The Authorization header. Not bound to the origin: a facility's webhook may lie on the same server. */
  readonly authorization: string | undefined
}

/** Webhooks directly; short messages and e-mail through a gateway of the operator's choice. */
export function httpNotifier(options: HttpNotifierOptions): Notifier {
  const { smsGateway, emailGateway } = options
  return {
    channelsOf: ({ webhook, phone, email }) => [
      ...(webhook === undefined ? [] : (['webhook'] as const)),
      ...(phone === undefined || smsGateway === undefined ? [] : (['sms'] as const)),
      ...(email === undefined || emailGateway === undefined ? [] : (['email'] as const)),
    ],
    async notify(channel, recipient, notification, call = {}) {
      const { id, text, subject } = notification
      switch (channel) {
        case 'webhook':
          return post(signedWebhook(recipient, notification, options.clock), call.signal, options)
        case 'sms':
          return post(toGateway(smsGateway, { id, to: recipient.phone, text }), call.signal, options)
        case 'email':
          return post(toGateway(emailGateway, { id, to: recipient.email, subject, text }), call.signal, options)
        default:
          return unreachable(channel)
      }
    },
  }
}

type Message = Required<Pick<OutboundRequest, 'url' | 'headers'>> & { readonly body: string }

function signedWebhook({ webhook }: Recipient, { id, type, at, facts }: Notification, clock: Clock): Message {
  assert(webhook !== undefined, 'a webhook was wanted for a recipient that has none')
  const body = JSON.stringify({ id, type, timestamp: at, data: facts })
  const timestamp = Math.floor(clock.now().getTime() / 1_000)
  return { url: webhook.url, headers: webhookHeaders({ id, timestamp, body }, webhook.secret), body }
}

interface GatewayMessage {
  readonly id: string
  readonly to: string | undefined
  readonly subject?: string
  readonly text: string
}

function toGateway(gateway: Gateway | undefined, message: GatewayMessage): Message {
  assert(gateway !== undefined && message.to !== undefined, 'a message was wanted on a channel that is not there')
  const { url, authorization } = gateway
  const proof = authorization === undefined ? {} : { authorization }
  return { url, headers: { 'idempotency-key': message.id, ...proof }, body: JSON.stringify(message) }
}

async function post(
  { url, headers, body }: Message,
  signal: AbortSignal | undefined,
  { outbound, deadlineMs = 10_000 }: HttpNotifierOptions,
): Promise<void> {
  const { status } = await outbound.send({
    method: 'POST',
    url,
    headers: { ...headers, 'content-type': 'application/json' },
    body,
    deadlineMs,
    isStatusEnough: true,
    ...(signal === undefined ? {} : { signal }),
  })
  if (status < 200 || status > 299) {
    throw unavailable('The notification was not taken.', { code: 'NOTIFICATION_REFUSED', logged: `status ${status}` })
  }
}
