import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { Client } from 'pg'
import { describe, expect, it, vi } from 'vitest'
import { faultOf } from '../faults/fault.ts'
import { silentLog } from '../log/log.ts'
import { makeCertificate } from '../testkit/certificate.ts'
import { connectionConfig } from './connection.ts'
import { openDatabase } from './database.ts'
import { fatalError } from './testing/wire-messages.ts'

it.each([
  [30_000, 35_000],
  // The longest that the configuration takes, and the longest that a timer does: beyond it, it fires at once.
  [2_147_483_647, 2_147_483_647],
])('a statement that may run %i ms is waited for %i ms', (statementTimeoutMs, waitedMs) => {
  const { query_timeout, options } = connectionConfig({ url: 'postgres://db/corridor', statementTimeoutMs })
  expect(query_timeout).toBe(waitedMs)
  expect(options).toContain(` -c statement_timeout=${statementTimeoutMs} `)
})

it('a file that the address names and that is not there is named, and the address is not blamed', () => {
  const url = 'postgres://db/corridor?sslmode=verify-full&sslrootcert=/nowhere/ca.pem'
  expect(() => connectionConfig({ url })).toThrow(
    'The file /nowhere/ca.pem, which database.url names, cannot be read (ENOENT). Check its path and permissions.',
  )
})

it.each([
  ['?sslmode=require', '?sslmode=verify-full'],
  ['?connect_timeout=3&sslmode=prefer&sslcert=', '?connect_timeout=3&sslmode=verify-full&sslcert='],
  ['?sslmode=verify-ca', '?sslmode=verify-full'],
  ['?sslmode=disable', '?sslmode=disable'],
  ['?sslmode=require&uselibpqcompat=true', '?sslmode=require&uselibpqcompat=true'],
])('TLS of %s is asked of the driver as %s, and it warns of nothing', (written, asked) => {
  const warned = vi.spyOn(process, 'emitWarning').mockReturnValue()
  const { connectionString } = connectionConfig({ url: `postgres://db/corridor${written}` })
  expect(connectionString).toBe(`postgres://db/corridor${asked}`)
  expect(new Client({ connectionString }).host).toBe('db')
  expect(warned).not.toHaveBeenCalled()
  warned.mockRestore()
})

describe('a server that is there and takes nobody like us is told of as that', () => {
  const reasonAt = async (answer: (socket: Socket) => void, query = '') => {
    const server = createServer((socket) => void socket.on('error', () => {}).once('data', () => answer(socket)))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    // Sound: it listens on a TCP port.
    const { port } = server.address() as AddressInfo
    const url = `postgres://a:b@127.0.0.1:${port}/a${query}`
    const thrown: unknown = await openDatabase({ url, log: silentLog }).catch((fault: unknown) => fault)
    server.close()
    return faultOf(thrown).shown.replace(String(port), 'PORT')
  }

  it('where it wants TLS, or has no place for the user', async () => {
    const refusal = fatalError(
      '28000',
      'no pg_hba.conf entry for host "10.1.0.5", user "a", database "a", no encryption',
    )
    expect(await reasonAt((socket) => socket.end(refusal))).toBe(
      'The database at 127.0.0.1:PORT does not let user a in (no pg_hba.conf entry for host "10.1.0.5", user "a", database "a", ' +
        'no encryption). If it lacks encryption, write ?sslmode=verify-full into database.url; else correct the user there, or ' +
        'pg_hba.conf of the server.',
    )
  })

  it('where its certificate is of an authority that nobody named', async () => {
    const { cert, key } = await makeCertificate({ name: '127.0.0.1' })
    const speakTls = (socket: Socket) => {
      socket.write('S')
      new TLSSocket(socket, { isServer: true, cert, key }).on('error', () => {})
    }
    expect(await reasonAt(speakTls, '?sslmode=require')).toBe(
      'The database at 127.0.0.1:PORT shows a certificate of an authority that is not known here. Name the file of that ' +
        'authority in database.url: ?sslmode=verify-full&sslrootcert=<file>.',
    )
  })
})

it('a connection on which nothing is said is asked after half a minute whether it is still there', () => {
  const asked = { keepAlive: true, keepAliveInitialDelayMillis: 30_000 }
  expect(connectionConfig({ url: 'postgres://db/corridor' })).toMatchObject(asked)
})

describe('a connection is waited for', () => {
  const waited = (url: string, connectTimeoutMs?: number) =>
    connectionConfig({ url, ...(connectTimeoutMs === undefined ? {} : { connectTimeoutMs }) }).connectionTimeoutMillis

  it.each([
    ['five seconds', 'postgres://db/corridor', 5_000],
    ['the seconds of the address', 'postgres://db/corridor?connect_timeout=10', 10_000],
    ['the seconds of the address among others', 'postgres://db/corridor?sslmode=disable&connect_timeout=1', 1_000],
    ['for ever, if the address says 0', 'postgres://db/corridor?connect_timeout=0', 0],
    ['no longer than a timer can', 'postgres://db/corridor?connect_timeout=999999999', 2_147_483_647],
  ])('%s', (_, url, ms) => {
    expect(waited(url)).toBe(ms)
  })

  it('as long as the code says, whatever the address says', () => {
    expect(waited('postgres://db/corridor?connect_timeout=10', 50)).toBe(50)
  })

  it.each(['', 'soon', '-1', '1.5', '1e3', '1234567890'])('but not for "%s"', (written) => {
    expect(() => waited(`postgres://db/corridor?connect_timeout=${written}`)).toThrow(
      'connect_timeout in database.url is not a number of seconds. Write ?connect_timeout=10.',
    )
  })
})
