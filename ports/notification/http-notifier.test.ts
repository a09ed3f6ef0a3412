import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../packages/clock/clock.ts'
import { makeOutbound } from '../../packages/http/outbound/outbound.ts'
import { silentLog } from '../../packages/log/log.ts'
import { Metrics } from '../../packages/metrics/metrics.ts'
import { httpNotifier } from './http-notifier.ts'
import type { Notification, Recipient } from './notification.ts'
import { isSignedBy } from './webhook-signature.ts'

const open: { close(): unknown }[] = []
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})

const notification: Notification = {
  id: '018f0000-0000-7000-8000-000000000001',
  type: 'referral.sent',
  at: '2026-03-04T05:06:07.000Z',
  facts: { referralId: 17, status: 'ACTIVE' },
  subject: 'Referral 17',
  text: 'Referral 17 is now ACTIVE.',
}

describe('a webhook', () => {
  it('is signed so that its receiver can prove where it came from', async () => {
    const { notifier, received, recipient } = await world()
    await notifier.notify('webhook', recipient, notification)
    const [request] = received
    const message = {
      id: String(request?.headers['webhook-id']),
      timestamp: Number(request?.headers['webhook-timestamp']),
      body: request?.body ?? '',
    }
    const signature = String(request?.headers['webhook-signature'])
    expect(message.id).toBe(notification.id)
    expect(isSignedBy('whsec_c2VjcmV0', message, signature)).toBe(true)
    expect(isSignedBy('whsec_b3RoZXI=', message, signature)).toBe(false)
    expect(isSignedBy('whsec_c2VjcmV0', { ...message, body: `${message.body} ` }, signature)).toBe(false)
    expect(JSON.parse(message.body)).toEqual({
      id: notification.id,
      type: 'referral.sent',
      timestamp: notification.at,
      data: notification.facts,
    })
  })

  it('signs as the published example does', () => {
    const message = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: 1_614_265_330, body: '{"test": 2432232314}' }
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
    expect(isSignedBy(secret, message, 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')).toBe(true)
  })

  it.each([400, 404, 500, 302])('that is answered with %i was not taken', async (status) => {
    const { notifier, recipient } = await world(status)
    await expect(notifier.notify('webhook', recipient, notification)).rejects.toMatchObject({ kind: 'unavailable' })
  })
})

describe('a short message and an e-mail', () => {
  it('go to their gateways with a key that drops repetitions', async () => {
    const { notifier, received, recipient } = await world()
    await notifier.notify('sms', recipient, notification)
    await notifier.notify('email', recipient, notification)
    expect(received.map(({ url, headers, body }) => [url, headers['idempotency-key'], JSON.parse(body)])).toEqual([
      ['/sms', notification.id, { id: notification.id, to: '+999 1', text: notification.text }],
      [
        '/email',
        notification.id,
        { id: notification.id, to: 'a@example.org', subject: notification.subject, text: notification.text },
      ],
    ])
  })
})

describe('what a gateway asks of whoever calls it', () => {
  it('is sent to that gateway, and to nobody else on the same server', async () => {
    const { notifier, received, recipient } = await world(204, { sms: 'Bearer of-sms', email: 'Basic b2YtbWFpbA==' })
    for (const channel of ['sms', 'email', 'webhook'] as const) await notifier.notify(channel, recipient, notification)
    expect(received.map(({ url, headers }) => [url, headers.authorization])).toEqual([
      ['/sms', 'Bearer of-sms'],
      ['/email', 'Basic b2YtbWFpbA=='],
      ['/hook', undefined],
    ])
  })
})

describe('the channels of a recipient', () => {
  it('are those for which there is an address and a road', async () => {
    const { notifier, recipient, outbound } = await world()
    const nobody: Recipient = { webhook: undefined, phone: undefined, email: undefined }
    expect(notifier.channelsOf(recipient)).toEqual(['webhook', 'sms', 'email'])
    expect(notifier.channelsOf(nobody)).toEqual([])
    const bare = httpNotifier({ outbound, smsGateway: undefined, emailGateway: undefined, clock: systemClock })
    expect(bare.channelsOf(recipient)).toEqual(['webhook'])
  })
})

async function world(status = 204, authorization: { readonly sms?: string; readonly email?: string } = {}) {
  const received: { url: string | undefined; headers: IncomingMessage['headers']; body: string }[] = []
  const server: Server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      received.push({ url: request.url, headers: request.headers, body })
      response.writeHead(status).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const deps = { clock: systemClock, log: silentLog, metrics: new Metrics() }
  const outbound = makeOutbound({
    origins: [{ url, name: 'facility' }],
    deadlineMs: 5_000,
    responseBytesMax: 1_000,
    ...deps,
  })
  open.push(outbound, server)
  const notifier = httpNotifier({
    outbound,
    smsGateway: { url: `${url}/sms`, authorization: authorization.sms },
    emailGateway: { url: `${url}/email`, authorization: authorization.email },
    clock: systemClock,
  })
  const recipient: Recipient = {
    webhook: { url: `${url}/hook`, secret: 'whsec_c2VjcmV0' },
    phone: '+999 1',
    email: 'a@example.org',
  }
  return { notifier, received, recipient, outbound }
}
