import { expect, it } from 'vitest'
import { cautions } from './cautions.ts'
import { corridorConfiguration } from './load-configuration.ts'

const production = {
  ...{ CORRIDOR_MODE: 'production', CORRIDOR_BRIDGE_BASE: 'https://corridor.example.org' },
  CORRIDOR_BRIDGE_COORDINATION_URL: 'https://coordination.example.org',
  CORRIDOR_IMMUNIZATION_CERTIFICATE_KEY_SECRET: 'a text that nobody can guess',
}
const told = (more: Record<string, string | undefined>, running?: Parameters<typeof cautions>[1]) =>
  cautions(corridorConfiguration({ environment: { ...production, ...more } }), running).map(({ says }) => says)

it('has nothing to say of a demo, nor of a production on loopback behind a proxy', () => {
  expect(cautions(corridorConfiguration({ environment: {}, demo: true }))).toEqual([])
  const proxy = { CORRIDOR_HTTP_TRUSTED_PROXIES: '127.0.0.1' }
  expect(told({ ...proxy, CORRIDOR_AUTH_URL: 'https://auth.example.org' })).toEqual([])
  expect(told({ CORRIDOR_AUTH_URL: 'http://[::1]:9000' })).toEqual([])
})

it.each([
  ['postgres://corridor:pw@db.example.org/corridor', 'db.example.org'],
  ['postgres://corridor:pw@10.1.0.9:5432/corridor?sslmode=disable', '10.1.0.9'],
  ['postgres://corridor:pw@db.example.org/corridor?sslMode=verify-full', 'db.example.org'],
  ['postgres://corridor:pw@db.example.org/corridor?sslmode=verify-full', undefined],
  ['postgres://corridor:pw@db.example.org/corridor?sslmode=require', undefined],
  ['postgres://corridor:pw@127.0.0.1/corridor', undefined],
  ['postgres://corridor:pw@[::1]/corridor', undefined],
  ['postgres://corridor:pw@localhost/corridor', undefined],
  ['postgres:///corridor?host=/var/run/postgresql', undefined],
  ['mysql://db.example.org/corridor', undefined],
  ['postgres://db.example.org/corridor?sslrootcert=/nowhere/ca.pem', undefined],
])('looks at the way to the database: %s', (url, host) => {
  const says = `What is said to the database at ${host} can be read on the way, because database.url asks for no TLS.`
  expect(told({ CORRIDOR_DATABASE_URL: url })).toEqual(host === undefined ? [] : [says])
})

it('names every listener that others reach without TLS, and nothing that does not run here', () => {
  const open = { CORRIDOR_LISTEN_HOSTS: '0.0.0.0', CORRIDOR_AUTH_TLS_CERTIFICATE_FILE: 'auth.pem' }
  expect(told(open, ['auth', 'fhir', 'consent'])).toEqual([
    'fhir listens on 0.0.0.0 without TLS.',
    'consent listens on 0.0.0.0 without TLS.',
  ])
})

it.each([
  ['https://fhir.example.org', '', '/'],
  ['https://fhir.example.org', '127.0.0.1', '/'],
  ['https://fhir.example.org/fhir', '', undefined],
  ['https://fhir.example.org/fhir/', '', undefined],
  ['https://example.org/hospital/fhir', '', '/hospital/fhir'],
  ['https://example.org/hospital/fhir', '127.0.0.1', undefined],
])('looks at the path of fhir.url: %s with the proxy "%s"', (url, proxies, path) => {
  const settings = { CORRIDOR_FHIR_URL: url, CORRIDOR_HTTP_TRUSTED_PROXIES: proxies }
  const says = `What is sent to fhir.url does not reach the FHIR store: its path is ${path}, and the store answers under /fhir.`
  const ofPath = told(settings).filter((one) => one.startsWith('What is sent'))
  expect(ofPath).toEqual(path === undefined ? [] : [says])
  expect(told(settings, ['auth'])).toEqual([])
})

it.each([
  ['https://auth.example.org', undefined],
  ['https://auth.example.org:8443/', undefined],
  ['https://example.org/auth', '/auth'],
])('looks at the path of a service that has pages: %s', (url, path) => {
  const settings = { CORRIDOR_AUTH_URL: url, CORRIDOR_HTTP_TRUSTED_PROXIES: '127.0.0.1' }
  const says = `Who opens auth.url gets lost: it has the path ${path}, and its pages lead to addresses without it.`
  expect(told(settings)).toEqual(path === undefined ? [] : [says])
  expect(told(settings, ['fhir'])).toEqual([])
})

it('names the services behind a proxy that nobody has named', () => {
  const behind = { CORRIDOR_AUTH_URL: 'https://auth.example.org', CORRIDOR_CONSENT_URL: 'https://consent.example.org' }
  const says = (names: string) =>
    `Everybody seems to call from one address, that of the proxy before ${names}: http.trustedProxies is not set.`
  expect(told(behind)).toEqual([says('auth, consent')])
  expect(told(behind, ['auth', 'fhir'])).toEqual([says('auth')])
  expect(told({ ...behind, CORRIDOR_HTTP_TRUSTED_PROXIES: '127.0.0.1' })).toEqual([])
  // Its own TLS: nobody need stand before it.
  const own = { CORRIDOR_AUTH_TLS_CERTIFICATE_FILE: 'auth.pem', CORRIDOR_AUTH_TLS_KEY_FILE: 'auth.key' }
  expect(told({ ...behind, ...own })).toEqual([says('consent')])
})

it('names the channels that take messages from everybody', () => {
  const open = {
    CORRIDOR_BRIDGE_MLLP_HOSTS: '10.1.0.5',
    CORRIDOR_BRIDGE_CHANNELS_ADT_ALLOWED_SENDERS: '10.1.0.0/16',
    CORRIDOR_BRIDGE_CHANNELS_ORU_TLS_CERTIFICATE_FILE: 'oru.pem',
    CORRIDOR_BRIDGE_CHANNELS_MFN_ENABLED: 'false',
  }
  expect(told(open)).toEqual(['MLLP listens on 10.1.0.5 without TLS and for every sender: orm, mdm, qbp, rde, siu.'])
  expect(told(open, ['auth'])).toEqual([])
})

it.each([
  {
    what: 'a public address without TLS',
    more: { CORRIDOR_FHIR_URL: 'http://fhir.example.org/fhir' },
    says: 'What is sent to fhir.url can be read on the way, because it begins with http.',
  },
  {
    what: 'a base that nobody chose',
    more: { CORRIDOR_BRIDGE_BASE: undefined },
    says: 'Identifiers are made under http://localhost:8443 for ever, because bridge.base is not set.',
  },
  {
    what: 'critical results that reach nobody',
    more: { CORRIDOR_BRIDGE_COORDINATION_URL: undefined },
    says: 'Critical results reach nobody: neither a gateway for short messages nor a coordination service is set.',
  },
  {
    what: 'keys of certificates that lie open',
    more: { CORRIDOR_IMMUNIZATION_CERTIFICATE_KEY_SECRET: undefined },
    says: 'A key for vaccination certificates that is made now lies open in the database, because immunization.certificateKeySecret is not set.',
  },
  {
    what: 'critical results that are escalated to nobody',
    more: {
      CORRIDOR_BRIDGE_COORDINATION_URL: undefined,
      CORRIDOR_BRIDGE_OUTBOUND_SMS_GATEWAY_URL: 'https://sms.example.org',
    },
    says: 'Nobody is told of a critical result that was not acknowledged.',
  },
  {
    what: 'senders that are registered and may do nothing',
    more: { CORRIDOR_BRIDGE_REGISTRY_AUTO_PROVISION: 'true' },
    says: 'Unknown senders are registered and stay without a policy, because bridge.registry.autoProvision is true.',
  },
  {
    what: 'silence that is taken for consent',
    more: { CORRIDOR_BRIDGE_CONSENT_FAIL_CLOSED: 'false' },
    says: 'Messages are stored without consent while the consent service gives no answer, because bridge.consent.failClosed is false.',
  },
])('names $what', ({ more, says }) => {
  expect(told(more)).toEqual([says])
})
