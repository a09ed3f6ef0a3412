import { expect, it } from 'vitest'
import { variableOf } from '../../../packages/config/schema.ts'
import { corridorConfiguration } from '../configuration.ts'
import { sectionFaults } from './sections.ts'

const faultsWith = (path?: string, value = '') =>
  sectionFaults(
    corridorConfiguration({ demo: true, environment: path === undefined ? {} : { [variableOf(path)]: value } })
      .configuration,
  )

it('finds nothing wrong with what is there without any settings', () => {
  expect(faultsWith()).toEqual([])
})

it.each([
  ['immunization.certificateIssuer', 'example', 'immunization.certificateIssuer must be 2 to 8 capital letters'],
  ['immunization.timeZone', 'Lima', 'immunization.timeZone must be a time zone'],
  ['consent.timeZone', 'Lima', 'consent.timeZone must be a zone'],
  ['http.trustedProxies', 'proxy', 'A trusted proxy must be an address or a range'],
  ['bridge.timezone', 'Lima', 'Lima'],
  ['referral.smsGatewayUrl', 'ftp://sms.example', 'the smsGatewayUrl must be an absolute http or https address'],
  ['referral.facilities', '[{"clientId":"a","webhookUrl":"https://a.example"}]', 'no webhookSecret to sign with'],
  ['bridge.channels.adt.senderCertificates', 'lab', 'must be written as name=CODE'],
])('says what a start would refuse of %s: %s', (path, value, says) => {
  expect(faultsWith(path, value)).toEqual([expect.stringContaining(says)])
})
