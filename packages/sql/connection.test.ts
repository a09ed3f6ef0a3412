import { describe, expect, it } from 'vitest'
import { connectionConfig } from './connection.ts'

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
