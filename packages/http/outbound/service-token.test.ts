import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../clock/clock.ts'
import { SimulatedClock } from '../../clock/simulated-clock.ts'
import { silentLog } from '../../log/log.ts'
import { Metrics } from '../../metrics/metrics.ts'
import { makeOutbound, type Outbound } from './outbound.ts'
import { ServiceToken } from './service-token.ts'

const open: (Server | Outbound)[] = []
afterEach(async () => {
  for (const one of open.splice(0)) {
    if ('closeAllConnections' in one) one.closeAllConnections()
    await one.close()
  }
})

async function tokenAgainst(answer: (count: number) => { status?: number; body: unknown }) {
  const asked: { authorization: string | undefined; body: string }[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => (body += String(chunk)))
    request.on('end', () => {
      asked.push({ authorization: request.headers.authorization, body })
      const { status = 200, body: given } = answer(asked.length)
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(given))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const outbound = makeOutbound({
    origins: [url],
    deadlineMs: 5_000,
    responseBytesMax: 10_000,
    clock: systemClock,
    log: silentLog,
    metrics: new Metrics(),
  })
  open.push(server, outbound)
  const clock = new SimulatedClock()
  const options = { tokenUrl: `${url}/oauth2/token`, clientId: 'svc-a', clientSecret: 's:e+c', outbound, clock }
  return { source: new ServiceToken(options), asked, clock }
}

const good = (count: number) => ({ body: { access_token: `token-${count}`, expires_in: 300 } })

describe('the token of a service account', () => {
  it('is asked for once, by the client credentials grant, however many want it', async () => {
    const { source, asked } = await tokenAgainst(good)
    expect(await Promise.all([source.token(), source.token(), source.token()])).toEqual(Array(3).fill('token-1'))
    expect(await source.token()).toBe('token-1')
    expect(asked).toEqual([
      {
        authorization: `Basic ${Buffer.from('svc-a:s%3Ae%2Bc').toString('base64')}`,
        body: 'grant_type=client_credentials',
      },
    ])
  })

  it('is renewed before it ends, and when a service has refused it', async () => {
    const { source, clock } = await tokenAgainst(good)
    await source.token()
    await clock.advance(269_000)
    expect(await source.token()).toBe('token-1')
    await clock.advance(1_000)
    expect(await source.token()).toBe('token-2')
    source.forget('token-1')
    expect(await source.token()).toBe('token-2')
    source.forget('token-2')
    expect(await source.token()).toBe('token-3')
  })

  it.each([
    ['refuses the client', { status: 401, body: { error: 'invalid_client' } }],
    ['names no token', { body: { expires_in: 300 } }],
    ['names no end', { body: { access_token: 'x' } }],
    ['answers with null', { body: null }],
  ])('is a fault when the authorization server %s, and is asked for again', async (_why, first) => {
    const { source } = await tokenAgainst((count) => (count === 1 ? first : good(count)))
    await expect(source.token()).rejects.toMatchObject({ kind: 'unavailable' })
    expect(await source.token()).toBe('token-2')
  })
})
