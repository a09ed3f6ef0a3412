import { createPrivateKey } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, createServer } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { SimulatedClock } from '../clock/simulated-clock.ts'
import { Metrics } from '../metrics/metrics.ts'
import { capturedLog } from '../testkit/captured-log.ts'
import { makeCertificate } from '../testkit/certificate.ts'
import { waitFor } from '../testkit/wait-for.ts'
import { Renewed, renewalLookMs } from './renewed.ts'
import { loadAuthorities, loadTls, showTls, tlsPair } from './tls.ts'

const clock = new SimulatedClock('2026-06-01T00:00:00Z')
let root: string

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'corridor-tls-'))
  const pairs = {
    good: { from: new Date('2020-01-01T00:00:00Z'), to: new Date('2099-01-01T00:00:00Z') },
    other: { from: new Date('2020-01-01T00:00:00Z'), to: new Date('2099-01-01T00:00:00Z') },
    old: { from: new Date('2020-01-01T00:00:00Z'), to: new Date('2026-05-31T00:00:00Z') },
    early: { from: new Date('2026-06-02T00:00:00Z'), to: new Date('2099-01-01T00:00:00Z') },
  }
  for (const [name, valid] of Object.entries(pairs)) {
    const { cert, key } = await makeCertificate({ name: 'localhost', valid })
    await writeFile(join(root, `${name}.crt`), cert)
    await writeFile(join(root, `${name}.key`), key)
    const locked = createPrivateKey(key).export({
      type: 'pkcs8',
      format: 'pem',
      cipher: 'aes-256-cbc',
      passphrase: 'x',
    })
    await writeFile(join(root, `${name}-locked.key`), locked)
  }
  await writeFile(join(root, 'text.txt'), 'hello')
})

afterAll(() => rm(root, { recursive: true, force: true }))

describe('TLS files', () => {
  it('that belong together carry a connection', async () => {
    const material = await load('good.crt', 'good.key', 'other.crt')
    expect(material.expiresAt).toEqual(new Date('2099-01-01T00:00:00Z'))
    expect(material.ca).toContain('BEGIN CERTIFICATE')

    const server = createServer({ cert: material.cert, key: material.key }, (socket) => socket.end())
    const port = await new Promise<number>((resolve) => {
      server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port))
    })
    const authorized = await new Promise<boolean>((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', ca: material.cert }, () => resolve(socket.authorized))
      socket.on('error', reject)
      socket.resume()
    })
    await new Promise((resolve) => server.close(resolve))
    expect(authorized).toBe(true)
  })

  it.each([
    ['good.crt', 'other.key', undefined, 'does not belong to the certificate'],
    ['old.crt', 'old.key', undefined, 'expired at 2026-05-31T00:00:00.000Z. Renew it.'],
    [
      'early.crt',
      'early.key',
      undefined,
      'is valid only from 2026-06-02T00:00:00.000Z. Check the clock of this machine.',
    ],
    ['text.txt', 'good.key', undefined, 'text.txt is not a certificate in PEM form.'],
    ['good.crt', 'text.txt', undefined, 'text.txt is not a private key in PEM form.'],
    ['good.crt', 'good.crt', undefined, 'good.crt is not a private key in PEM form.'],
    ['good.crt', 'good-locked.key', undefined, 'good-locked.key is protected by a passphrase.'],
    ['none.crt', 'good.key', undefined, 'none.crt cannot be read (ENOENT). Check its path and permissions.'],
    ['good.crt', 'none.key', undefined, 'none.key cannot be read (ENOENT). Check its path and permissions.'],
    ['good.crt', 'good.key', 'text.txt', 'text.txt is not a certificate in PEM form.'],
  ])('%s with %s and CA %s are refused: %s', async (certificate, key, ca, sentence) => {
    await expect(load(certificate, key, ca)).rejects.toThrow(sentence)
  })
})

it('a certificate is valid from its first moment on, and no longer at its last', async () => {
  const at = (name: string, time: string) => load(`${name}.crt`, `${name}.key`, undefined, new SimulatedClock(time))
  await expect(at('old', '2026-05-31T00:00:00Z')).rejects.toThrow('expired')
  expect(await at('old', '2026-05-30T23:59:59.999Z')).toMatchObject({ expiresAt: new Date('2026-05-31T00:00:00Z') })
  expect(await at('early', '2026-06-02T00:00:00Z')).toMatchObject({ expiresAt: new Date('2099-01-01T00:00:00Z') })
})

it.each([
  ['none.crt', 'The CA of the archive', 'cannot be read (ENOENT). Check its path and permissions.'],
  ['text.txt', 'The CA of the archive', 'is not a certificate in PEM form.'],
])('authorities in %s are refused: %s … %s', async (file, opening, end) => {
  const named = join(root, file)
  await expect(loadAuthorities(named, 'CA of the archive')).rejects.toThrow(`${opening} ${named} ${end}`)
})

it.each([
  ['certificateFile', 'keyFile', { certificateFile: 'a.crt', keyFile: undefined }],
  ['keyFile', 'certificateFile', { certificateFile: undefined, keyFile: 'a.key' }],
])('%s alone is refused, because its listener would speak plain', (named, missing, files) => {
  const sentence = `auth.tls.${named} is set and auth.tls.${missing} is not. Name both, or neither.`
  expect(() => tlsPair(files, 'auth.tls')).toThrow(sentence)
  expect(() => tlsPair(files, 'auth.tls')).toThrow(expect.objectContaining({ code: 'TLS_FILES' }))
})

it('neither of them is no TLS, and both are', () => {
  expect(tlsPair({ certificateFile: undefined, keyFile: undefined }, 'auth.tls')).toBeUndefined()
  const both = { certificateFile: 'a.crt', keyFile: 'a.key' }
  expect(tlsPair(both, 'auth.tls')).toEqual(both)
})

it('a certificate that is renewed in its place is taken, and what cannot be used is told of once and left', async () => {
  const place = await mkdtemp(join(root, 'renewed-'))
  const [certificateFile, keyFile] = [join(place, 'own.crt'), join(place, 'own.key')]
  const put = async (from: string, file: string) => writeFile(file, await readFile(join(root, from)))
  await put('old.crt', certificateFile)
  await put('old.key', keyFile)
  const own = new SimulatedClock('2026-05-30T00:00:00Z')
  const captured = capturedLog(own)
  const metrics = new Metrics()
  const shown = await showTls(
    'auth.tls.certificateFile',
    { certificateFile, keyFile },
    { clock: own, log: captured.log, metrics },
  )
  onTestFinished(() => shown.end())
  const taken: Date[] = []
  shown.onRenewed(({ expiresAt }) => taken.push(expiresAt))
  const looks = async (times: number) => {
    for (let look = 0; look < times; look++) {
      await waitFor(() => own.waiting > 0, { what: 'it to wait for its next look' })
      await own.advance(renewalLookMs)
    }
    await waitFor(() => own.waiting > 0, { what: 'the look to end' })
  }
  const old = shown.current
  await looks(1)
  expect(shown.current).toBe(old)

  await put('good.crt', certificateFile)
  await looks(1)
  expect(captured.events()).toEqual([])
  await looks(3)
  expect(captured.events('certificate not renewed')).toMatchObject([
    { level: 'warn', state: 'auth.tls.certificateFile', error: expect.stringContaining('does not belong to') },
  ])
  expect(shown.current).toBe(old)
  await put('good.key', keyFile)
  await looks(1)
  expect(shown.current.expiresAt).toEqual(new Date('2099-01-01T00:00:00Z'))
  expect(taken).toEqual([new Date('2099-01-01T00:00:00Z')])
  expect(captured.events('certificate renewed')).toMatchObject([{ state: 'auth.tls.certificateFile' }])
  expect(await metrics.text()).toContain('certificate="auth.tls.certificateFile"} 4070908800\n')

  // Wrong in the same way once more, it is told of once more.
  await put('old.key', keyFile)
  await looks(1)
  expect(captured.events('certificate not renewed')).toHaveLength(1)
  await looks(2)
  expect(captured.events('certificate not renewed')).toHaveLength(2)
  await shown.end()
  expect(own.waiting).toBe(0)
})

it('where no file is named nobody looks for a new one', async () => {
  const own = new SimulatedClock()
  const none = { setting: 'bridge.audit.certificateFile', hasFiles: false, load: async () => ({}) }
  const renewed = await Renewed.open(none, { clock: own, log: capturedLog(own).log })
  expect([renewed.current, own.waiting]).toEqual([{}, 0])
  await renewed.end()
})

const load = (certificate: string, key: string, ca?: string, at: SimulatedClock = clock) =>
  loadTls(
    {
      certificateFile: join(root, certificate),
      keyFile: join(root, key),
      ...(ca === undefined ? {} : { clientCaFile: join(root, ca) }),
    },
    { clock: at },
  )
