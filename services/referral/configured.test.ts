import { describe, expect, it } from 'vitest'
import { choice } from '../../packages/config/key.ts'
import { loadConfiguration } from '../../packages/config/load.ts'
import { facilitiesOf, gatewaysOf, noticeOrigins, settingsOf } from './configured.ts'
import { referralSection } from './section.ts'

const schema = {
  mode: choice({ words: ['demo', 'production'], default: 'demo', meaning: 'The mode.' }),
  referral: referralSection,
}

const sectionWith = (environment: Readonly<Record<string, string>>) =>
  loadConfiguration(schema, { environment }).configuration.referral

describe('the configuration', () => {
  it('has the time limits of the decision, in seconds', () => {
    expect(settingsOf(sectionWith({}))).toEqual({
      partyRules: 'parties',
      fhirProjection: true,
      acceptWithinSeconds: { STAT: 900, ASAP: 14_400, URGENT: 86_400, ROUTINE: 259_200 },
    })
  })

  it('names facilities, and every place that may be called for them', () => {
    const section = sectionWith({
      CORRIDOR_REFERRAL_FACILITIES: JSON.stringify([
        { clientId: 'a', webhookUrl: 'https://a.example/hook', webhookSecret: 's', phone: '+999 1' },
        { clientId: 'b', email: 'b@example.org', organisation: 'Organization/b-group' },
      ]),
      CORRIDOR_REFERRAL_SMS_GATEWAY_URL: 'https://sms.example/send',
    })
    const none = { webhook: undefined, email: undefined, phone: undefined, organisation: undefined }
    expect(facilitiesOf(section)).toEqual([
      { ...none, clientId: 'a', webhook: { url: 'https://a.example/hook', secret: 's' }, phone: '+999 1' },
      { ...none, clientId: 'b', email: 'b@example.org', organisation: 'Organization/b-group' },
    ])
    expect(noticeOrigins(section).map(({ url }) => url)).toEqual(['https://a.example/hook', 'https://sms.example/send'])
  })

  it('has for each gateway what that asks of its callers', () => {
    const section = sectionWith({
      CORRIDOR_REFERRAL_SMS_GATEWAY_URL: 'https://sms.example/send',
      CORRIDOR_REFERRAL_SMS_GATEWAY_AUTHORIZATION: 'Bearer of-sms',
      CORRIDOR_REFERRAL_EMAIL_GATEWAY_AUTHORIZATION: 'Bearer of-nobody',
    })
    expect(gatewaysOf(section)).toEqual({
      smsGateway: { url: 'https://sms.example/send', authorization: 'Bearer of-sms' },
      emailGateway: undefined,
    })
  })

  it.each([
    [{ clientId: 'a', webhookUrl: 'https://a.example/hook' }, 'a has a webhookUrl and no webhookSecret'],
    [{ clientId: 'a', organisation: 'a-group' }, '[0].organisation must be Organization/<id>.'],
    [{ clientId: 'a', webhookUrl: 'ftp://a.example', webhookSecret: 's' }, '[0].webhookUrl must be an address'],
    [{ clientId: 'a', webhookUrl: 'https://u:p@a.example', webhookSecret: 's' }, '[0].webhookUrl must be an address'],
  ])('refuses the facility %j in words', (facility, words) => {
    const environment = { CORRIDOR_REFERRAL_FACILITIES: JSON.stringify([facility]) }
    expect(() => facilitiesOf(sectionWith(environment))).toThrow(words)
  })

  it('refuses a facility that is there twice, and takes several clients of one organisation', () => {
    const of = (...clientIds: readonly string[]) => {
      const facilities = clientIds.map((clientId) => ({ clientId, organisation: 'Organization/group' }))
      return () => facilitiesOf(sectionWith({ CORRIDOR_REFERRAL_FACILITIES: JSON.stringify(facilities) }))
    }
    expect(of('a', 'b', 'a')).toThrow('referral.facilities: a is there twice. Put all of it in one entry.')
    expect(of('a', 'b')()).toHaveLength(2)
  })
})
