import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request as requestHttp, type IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'
import { makeCertificate } from '../../../packages/testkit/certificate.ts'
import { openHl7Sender } from '../../../packages/testkit/hl7-sender.ts'
import { testCorridor } from '../../../packages/testkit/test-corridor.ts'
import { waitFor } from '../../../packages/testkit/wait-for.ts'

it('a service that speaks TLS tells until when its certificate is good', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'corridor-service-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const [certificateFile, keyFile] = [join(folder, 'own.crt'), join(folder, 'own.key')]
  const valid = { from: new Date('2026-01-01T00:00:00Z'), to: new Date('2033-05-18T03:33:20Z') }
  const { cert, key } = await makeCertificate({ name: 'localhost', valid })
  await writeFile(certificateFile, cert)
  await writeFile(keyFile, key)
  await using corridor = await testCorridor({
    services: ['referral'],
    settings: { 'referral.tls.certificateFile': certificateFile, 'referral.tls.keyFile': keyFile },
  })
  const { port } = corridor.configuration.referral
  const metrics = await new Promise<string>((resolve, reject) => {
    request({ host: 'localhost', port, path: '/actuator/prometheus', ca: cert }, (answer) => resolve(text(answer)))
      .once('error', reject)
      .end()
  })
  expect(metrics).toContain(
    'corridor_tls_certificate_expiry_timestamp_seconds{certificate="referral.tls.certificateFile"} 2000000000',
  )
})

it('a stop closes MLLP at once, while a request that is in work over HTTP still gets its answer', async () => {
  await using corridor = await testCorridor({ services: ['auth', 'bridge'] })
  const { auth, bridge } = corridor.configuration
  const isReached = async () => {
    try {
      await using _sender = await openHl7Sender({ host: '127.0.0.1', port: bridge.channels.adt.port })
      return true
    } catch {
      return false
    }
  }
  const [begun, rest] = ['grant_type=client_cred', 'entials']
  const asked = requestHttp(`http://127.0.0.1:${auth.port}/oauth2/token`, {
    method: 'POST',
    headers: {
      ...{ 'content-type': 'application/x-www-form-urlencoded', 'content-length': begun.length + rest.length },
      expect: '100-continue',
    },
  })
  asked.flushHeaders()
  await once(asked, 'continue')
  asked.write(begun)
  const answered = once(asked, 'response') as Promise<[IncomingMessage]>
  expect(await isReached()).toBe(true)
  const stopped = corridor.stop()
  await waitFor(async () => !(await isReached()), { what: 'MLLP to be closed' })
  asked.end(rest)
  const [answer] = await answered
  expect(answer.statusCode).toBe(400)
  answer.resume()
  await stopped
})
