import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { systemClock } from '../../packages/clock/clock.ts'
import { makeOutbound } from '../../packages/http/outbound/outbound.ts'
import { silentLog } from '../../packages/log/log.ts'
import { Metrics } from '../../packages/metrics/metrics.ts'
import { httpSmsGateway, noSmsGateway } from './http-sms-gateway.ts'

const message = { id: 'm-1', to: '+99900000006', text: 'A result needs your attention now.' }

describe('an SMS gateway', () => {
  it('gets the message with a key that drops repetitions', async () => {
    await using world = await gatewayThatAnswers(202)
    expect(await world.gateway.send(message)).toBe('202')
    const [request] = world.received
    expect(request?.headers['idempotency-key']).toBe('m-1')
    expect(JSON.parse(request?.body ?? '')).toEqual(message)
  })

  it.each([
    [408, 'unavailable'],
    [429, 'unavailable'],
    [503, 'unavailable'],
    [400, 'incorrect'],
    [401, 'incorrect'],
    [302, 'incorrect'],
  ])('that answers %i makes it %s', async (status, kind) => {
    await using world = await gatewayThatAnswers(status)
    const shown = expect.stringContaining(`The SMS gateway answered with status ${status}`) as string
    await expect(world.gateway.send(message)).rejects.toMatchObject({ kind, code: 'SMS_REFUSED', shown })
  })

  it('that takes the message has taken it, however much it says about it', async () => {
    await using world = await gatewayThatAnswers(200, {}, 'x'.repeat(2_000))
    expect(await world.gateway.send(message)).toBe('200')
  })

  it('is left alone for as long as it asks for', async () => {
    await using world = await gatewayThatAnswers(429, { 'retry-after': '90' })
    await expect(world.gateway.send(message)).rejects.toMatchObject({ kind: 'unavailable', retryAfterSeconds: 90 })
  })

  it('that is not there takes nothing, and trying again does not help', async () => {
    await expect(noSmsGateway.send(message)).rejects.toMatchObject({ kind: 'incorrect' })
  })
})

async function gatewayThatAnswers(status: number, headers: Readonly<Record<string, string>> = {}, said = '') {
  const received: { readonly headers: IncomingHttpHeaders; readonly body: string }[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      received.push({ headers: request.headers, body })
      response.writeHead(status, headers).end(said)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // Sound: it listens on a TCP port.
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/sms`
  const outbound = makeOutbound({
    ...{ origins: [url], deadlineMs: 5_000, responseBytesMax: 1_000 },
    ...{ clock: systemClock, log: silentLog, metrics: new Metrics() },
  })
  return {
    gateway: httpSmsGateway({ url, outbound, clock: systemClock }),
    received,
    async [Symbol.asyncDispose]() {
      await outbound.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
