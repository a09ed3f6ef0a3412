import { X509Certificate } from 'node:crypto'
import { expect, it } from 'vitest'
import { SimulatedClock } from '../clock/simulated-clock.ts'
import { makeCertificate } from './certificate.ts'

it('makes a certificate for a name and the loopback addresses, valid now and signed by itself', async () => {
  const clock = new SimulatedClock('2026-03-01T12:00:00Z')
  const made = await makeCertificate({ name: 'bridge.example', validDays: 2, clock })
  const certificate = new X509Certificate(made.cert)
  expect(certificate.checkHost('bridge.example')).toBe('bridge.example')
  expect(certificate.checkHost('other.example')).toBeUndefined()
  expect(certificate.checkIP('127.0.0.1')).toBe('127.0.0.1')
  expect(certificate.verify(certificate.publicKey)).toBe(true)
  expect(certificate.validFromDate).toEqual(new Date('2026-02-28T12:00:00Z'))
  expect(certificate.validToDate).toEqual(new Date('2026-03-03T12:00:00Z'))
})

it('lets one certificate sign another', async () => {
  const authority = await makeCertificate({ name: 'authority' })
  const client = await makeCertificate({ name: 'lakeside-clinic', issuer: authority })
  const certificate = new X509Certificate(client.cert)
  expect(certificate.checkIssued(new X509Certificate(authority.cert))).toBe(true)
  expect(certificate.verify(new X509Certificate(authority.cert).publicKey)).toBe(true)
  expect(certificate.verify(certificate.publicKey)).toBe(false)
})

it('makes an expired certificate when asked for one', async () => {
  const clock = new SimulatedClock()
  const certificate = new X509Certificate((await makeCertificate({ name: 'old', validDays: -1, clock })).cert)
  expect(certificate.validToDate.getTime()).toBeLessThan(clock.now().getTime())
  expect(certificate.validFromDate.getTime()).toBeLessThan(certificate.validToDate.getTime())
})
