import { connect, createServer, getCiphers, type SecureVersion, type Server } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeCertificate, type CertificateOptions } from './certificate.ts'
import { tlsFloor } from './tls-floor.ts'

const kinds: readonly NonNullable<CertificateOptions['keyType']>[] = ['ec', 'rsa']

describe.each(kinds)('a listener with a certificate of the kind %s', (keyType) => {
  let server: Server
  let port: number

  beforeAll(async () => {
    const { cert, key } = await makeCertificate({ name: 'localhost', keyType })
    server = createServer({ cert, key, ...tlsFloor }, (socket) => socket.end())
    server.on('tlsClientError', () => {})
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    port = (server.address() as { port: number }).port
  })
  afterAll(() => new Promise((resolve) => server.close(resolve)))

  /** The suite that both agreed to, if any. Weak ones are offered as OpenSSL offers them when it is told to. */
  const agreed = (version: SecureVersion, ciphers: string) =>
    new Promise<string | undefined>((resolve) => {
      const offer = { minVersion: version, maxVersion: version, ciphers: `${ciphers}:@SECLEVEL=0` }
      const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false, ...offer })
      socket.on('secureConnect', () => {
        resolve(socket.getCipher().name)
        socket.destroy()
      })
      socket.on('error', () => resolve(undefined))
    })

  /** All that this OpenSSL knows for TLS 1.2, tried one by one. */
  const tried = getCiphers()
    .filter((name) => !name.startsWith('tls_'))
    .map((name) => name.toUpperCase())

  it('takes suites with fresh keys and authenticated encryption, and no other', async () => {
    const taken = await Promise.all(tried.map((name) => agreed('TLSv1.2', name)))
    expect(tried.length).toBeGreaterThan(40)
    expect(taken.filter((name) => name !== undefined).toSorted()).toEqual(
      ['AES128-GCM-SHA256', 'AES256-GCM-SHA384', 'CHACHA20-POLY1305'].map(
        (suite) => `ECDHE-${keyType === 'ec' ? 'ECDSA' : 'RSA'}-${suite}`,
      ),
    )
  })

  it.each([
    ['TLSv1', undefined],
    ['TLSv1.1', undefined],
    ['TLSv1.2', 'ECDHE'],
    ['TLSv1.3', 'TLS_AES'],
  ] as const)('and of %s: %s', async (version, begins) => {
    const name = await agreed(version, 'ALL')
    expect(begins === undefined ? name : name?.startsWith(begins)).toBe(begins === undefined ? undefined : true)
  })
})
