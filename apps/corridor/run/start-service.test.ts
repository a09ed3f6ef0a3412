import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'
import { makeCertificate } from '../../../packages/testkit/certificate.ts'
import { testCorridor } from '../../../packages/testkit/test-corridor.ts'

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
