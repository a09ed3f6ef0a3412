import { createServer } from 'node:net'
import { connect } from 'node:tls'
import { describe, expect, it } from 'vitest'
import { makeCertificate } from '../../testkit/certificate.ts'
import { freePort } from '../../testkit/free-port.ts'
import { waitFor } from '../../testkit/wait-for.ts'
import { nothing } from '../content.ts'
import { route } from '../route.ts'
import { testServer } from '../testing/test-server.ts'
import { anyone } from '../who.ts'

const hello = route({
  method: 'GET',
  path: '/hello',
  who: anyone,
  summary: 'Hello',
  output: { 204: nothing },
  run: () => undefined,
})

describe('listening', () => {
  it('happens on both loopback addresses at the same port', async () => {
    await using server = await testServer([hello], { listen: { hosts: ['127.0.0.1', '::1'] } })
    expect(server.addresses).toEqual([`http://127.0.0.1:${server.port}`, `http://[::1]:${server.port}`])
    expect(server.url).toBe(server.addresses[0])
    for (const address of server.addresses) expect((await fetch(`${address}/hello`)).status).toBe(204)
  })

  it('leaves out an address that the machine does not have, unless it is the only one', async () => {
    // 192.0.2.0/24 and 2001:db8::/32 are for documentation; no machine has them.
    await using server = await testServer([hello], { listen: { hosts: ['127.0.0.1', '2001:db8::1'] } })
    expect(server.addresses).toHaveLength(1)
    for (const host of ['2001:db8::1', 'no-such-name.invalid']) {
      await expect(testServer([hello], { listen: { hosts: [host] } })).rejects.toThrow(
        `This machine has none of the addresses ${host} that tested should listen on. Name one that it has in listen.hosts.`,
      )
    }
  })

  it.each(['127.0.0.1', '::1'])(
    'says in one sentence that the port is busy on %s, and leaves nothing open',
    async (host) => {
      // A port that is handed out on one of the two addresses may be taken on the other.
      const port = await freePort()
      const other = createServer()
      await new Promise<void>((resolve) => other.listen(port, host, resolve))
      const listen = { hosts: ['127.0.0.1', '::1'], port, portSetting: 'CORRIDOR_AUTH_PORT' }
      await expect(testServer([hello], { name: 'auth', listen })).rejects.toThrow(
        `Port ${port} (auth) is in use by another program. Stop it, or set CORRIDOR_AUTH_PORT to a free port.`,
      )
      await new Promise((resolve) => other.close(resolve))
      // A program that another thread starts at this moment has a copy of what was just closed, until it is its own.
      await using server = await waitFor(() => testServer([hello], { name: 'auth', listen }), {
        what: 'the port to be had again',
      })
      expect(server.port).toBe(port)
    },
  )
})

describe('TLS', () => {
  it('carries requests from version 1.2 on, and answers in flight when it stops', async () => {
    const { cert, key } = await makeCertificate({ name: 'localhost' })
    await using server = await testServer([hello], { listen: { tls: { cert, key } } })
    expect(server.url).toMatch(/^https:/)
    const ask = (maxVersion: 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3') =>
      new Promise<string>((resolve) => {
        // Sound: this talks to ourselves, and it is the version that is tested, not the name.
        const minVersion = maxVersion === 'TLSv1.1' ? 'TLSv1' : maxVersion
        const socket = connect({
          host: '127.0.0.1',
          port: server.port,
          rejectUnauthorized: false,
          minVersion,
          maxVersion,
        })
        let heard = ''
        socket.on('data', (chunk) => (heard += chunk.toString()))
        socket.on('secureConnect', () => socket.write('GET /hello HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'))
        socket.on('error', () => resolve('refused'))
        socket.on('close', () => resolve(heard))
      })
    expect(await ask('TLSv1.3')).toMatch(/^HTTP\/1.1 204/)
    expect(await ask('TLSv1.2')).toMatch(/strict-transport-security/i)
    expect(await ask('TLSv1.1')).toBe('refused')
  })

  it('shows a certificate that was renewed to whoever comes after that', async () => {
    const [first, second] = [await makeCertificate({ name: 'localhost' }), await makeCertificate({ name: 'localhost' })]
    await using server = await testServer([hello], { listen: { hosts: ['127.0.0.1', '::1'], tls: first } })
    const trusts = ({ cert: ca }: { readonly cert: string }, host: string) =>
      new Promise<boolean>((resolve) => {
        const socket = connect({ host, port: server.port, ca, servername: 'localhost' }, () => socket.end())
        socket.on('error', () => resolve(false)).on('close', () => resolve(true))
      })
    const seen = async () => [
      await trusts(first, '127.0.0.1'),
      await trusts(second, '127.0.0.1'),
      await trusts(second, '::1'),
    ]
    expect(await seen()).toEqual([true, false, false])
    server.renewTls(second)
    expect(await seen()).toEqual([false, true, true])
  })
})
