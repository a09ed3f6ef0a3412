import { X509Certificate } from 'node:crypto'
import { expect, it } from 'vitest'
import { makeCertificate } from './certificate.ts'

// RFC 5280 section 4.1.2.5: up to 2049 as UTCTime (0x17, two digits for the year), from 2050 as GeneralizedTime (0x18).
it.each([
  ['1950-01-01T00:00:00Z', '\u0017\r500101000000Z'],
  ['2026-03-04T05:06:07Z', '\u0017\r260304050607Z'],
  ['2049-12-31T23:59:59Z', '\u0017\r491231235959Z'],
  ['2050-01-01T00:00:00Z', '\u0018\u000f20500101000000Z'],
  ['1949-12-31T23:59:59Z', '\u0018\u000f19491231235959Z'],
])('a certificate that begins at %s says so in the form of its year', async (begins, form) => {
  const from = new Date(begins)
  const { cert } = await makeCertificate({ name: 'localhost', valid: { from, to: new Date('2099-01-01T00:00:00Z') } })
  const { raw, validFromDate } = new X509Certificate(cert)
  expect(raw.toString('latin1')).toContain(form)
  expect(validFromDate).toEqual(from)
})
