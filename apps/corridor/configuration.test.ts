import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { configurationReference } from '../../packages/config/reference.ts'
import { keysOf, variableOf } from '../../packages/config/schema.ts'
import { configurationSchema } from './configuration.ts'
import { corridorConfiguration } from './load-configuration.ts'
import { checkMode } from './production-check.ts'
import { serviceNames } from './service-names.ts'

const load = (environment: Record<string, string>) => corridorConfiguration({ environment })

describe('the operational contract', () => {
  it.each([
    ['auth.port', 9000],
    ['bridge.port', 8443],
    ['consent.port', 8082],
    ['immunization.port', 8084],
    ['fhir.port', 8080],
    ['bridge.mllpPort', 2575],
    ['dataDir', './data'],
    ['auth.url', 'http://localhost:9000'],
    ['bridge.url', 'http://localhost:8443'],
    ['consent.url', 'http://localhost:8082'],
    ['immunization.url', 'http://localhost:8084'],
    ['fhir.url', 'http://localhost:8080/fhir'],
    ['auth.clientUrl', 'http://localhost:8084'],
    ['auth.accessTokenSeconds', 3600],
    ['database.url', undefined],
  ])('%s is %s unless somebody sets it', (path, value) => {
    const configuration: unknown = load({}).configuration
    expect(
      path.split('.').reduce((node, name) => (node as Record<string, unknown>)[name] as object, configuration),
    ).toBe(value)
  })

  it('lets an address follow its port and its certificate', () => {
    const { auth } = load({ CORRIDOR_AUTH_PORT: '9100', CORRIDOR_AUTH_TLS_CERTIFICATE_FILE: 'c.pem' }).configuration
    expect(auth.url).toBe('https://localhost:9100')
  })

  it('takes a variable that is empty for one that is not set, also that of the file', () => {
    expect(load({ CORRIDOR_CONFIG: '', CORRIDOR_AUTH_PORT: '' }).configuration.auth.port).toBe(9000)
  })

  it('has a meaning for every key', () => {
    for (const { path, key } of keysOf(configurationSchema)) expect(key.meaning, path).toMatch(/^[A-Za-z`].*\.$/)
  })

  it('is described in docs/configuration.md; after a change of a key: npm run docs', () => {
    const page = readFileSync(new URL('../../docs/configuration.md', import.meta.url), 'utf8')
    expect(page).toContain(configurationReference(configurationSchema))
  })
})

describe('a value that could never work', () => {
  it.each([
    ['bridge.base', ['corridor.example.org', 'corridor example', 'ftp://x', 'https://x?a=1'], 'must be an address'],
    ['bridge.outbound.smsGatewayUrl', ['nope', 'file:///etc', 'https://me:secret@x'], 'must be an address'],
    ['referral.smsGatewayUrl', ['sms.example', 'https://me:secret@x'], 'must be an address'],
    ['referral.emailGatewayUrl', ['mail.example'], 'must be an address'],
    ['bridge.coordination.url', ['file:///etc/passwd'], 'must be an address'],
    ['immunization.issuers', ['foo', 'https://a.example,foo'], 'is wrong at "foo": each must be an address'],
    ['immunization.authorizationServers', ['foo'], 'is wrong at "foo"'],
    ['bridge.coordination.escalationPhone', ['abc', '+'], 'must be a phone number'],
    ['bridge.mapping.realm', ['XX', 'us'], 'must be US'],
    ['bridge.mapping.visitNumber', ['XX'], 'must be PID-18'],
    ['bridge.channels.adt.charset', ['klingon', '8859/1~klingon'], 'must be a character set'],
    ['bridge.channels.adt.allowProcessingIds', ['X', 'P,X'], 'is wrong at "X": each must be P, T or D'],
    ['bridge.channels.adt.allowedSenders', ['foo', '10.0.0.0/33', '10.0.0.0/8/8'], 'is wrong at "'],
    ['fhir.allowedOrigins', ['foo', 'https://app.example/', 'https://App.example'], 'is wrong at "'],
    ['bridge.outbound.allowedHosts', ['http://x/y', 'x:99999', 'a b'], 'is wrong at "'],
    [
      'bridge.timezone',
      ['Lima', 'GMT+3', '+3', '+99:00', '+03:60', '-14:30'],
      'must be a time zone such as Africa/Nairobi, or an offset',
    ],
    ['bridge.channels.adt.timezone', ['Lima'], 'must be a time zone'],
    ['consent.timeZone', ['Lima', '+03:00'], 'must be a time zone such as Africa/Nairobi.'],
    ['immunization.timeZone', ['Lima', '+03:00'], 'must be a time zone such as Africa/Nairobi.'],
    ['immunization.certificateIssuer', ['example', 'E', 'NINE-CODE'], 'must be 2 to 8 capital letters and digits.'],
    ['immunization.certificateCountry', ['Kenya', 'KE', 'ken'], 'must be three capital letters.'],
    ['http.trustedProxies', ['proxy', '127.0.0.1,proxy', '10.0.0.0/33'], 'is wrong at "'],
    ['bridge.mllpPort', ['65529', '65530'], 'must be a whole number from 0 to 65528'],
  ])('of %s is refused: %j', (path, values, wrong) => {
    for (const value of values) expect(() => load({ [variableOf(path)]: value }), value).toThrow(`${path} ${wrong}`)
  })

  it.each([
    ['bridge.base', ['https://corridor.example.org/x', 'http://localhost:8443', 'urn:oid:1.2.3']],
    ['bridge.outbound.smsGatewayUrl', ['https://sms.example/send?key=1', 'http://127.0.0.1:8']],
    ['immunization.issuers', ['https://a.example/fhir/,http://localhost:8080/fhir']],
    ['bridge.coordination.escalationPhone', ['+254 700 000-001', '112', '(030) 123456']],
    ['bridge.mapping.realm', ['US']],
    ['bridge.channels.adt.charset', ['8859/1', 'UNICODE UTF-8', 'ASCII~ISO IR87', 'windows-1252']],
    ['bridge.channels.adt.allowedSenders', ['10.1.2.3,10.1.0.0/16,fd00::/8']],
    ['fhir.allowedOrigins', ['https://app.example,http://localhost:3000']],
    ['bridge.outbound.allowedHosts', ['x,pharmacy.example:2575,[::1]:80,10.0.0.1']],
    ['bridge.timezone', ['Africa/Nairobi', 'Asia/Kolkata', '+03:00', '-09:30', '+14:00', 'UTC']],
    ['consent.timeZone', ['Africa/Nairobi', 'Asia/Kolkata', 'UTC']],
    ['immunization.timeZone', ['Africa/Nairobi', 'Asia/Kolkata', 'UTC']],
    ['immunization.certificateIssuer', ['MOH1']],
    ['http.trustedProxies', ['10.0.0.0/8,127.0.0.1,::1,fd00::/8']],
    ['bridge.mllpPort', ['0', '65528']],
  ])('of %s is not one of these: %j', (path, values) => {
    for (const value of values) expect(() => load({ [variableOf(path)]: value }), value).not.toThrow()
  })
})

describe('times', () => {
  const times = keysOf(configurationSchema).filter(({ key }) => key.kind === 'milliseconds')

  it.each(times.map(({ path, variable }) => [path, variable]))(
    '%s is one that a timer can wait for',
    (path, variable) => {
      expect(() => load({ [variable ?? '']: '2147483648' })).toThrow(new RegExp(`${path} must be .* to [\\d]{4,10}\\.`))
      expect(path).toMatch(/Ms(Max)?$/)
    },
  )

  it.each([
    [{ CORRIDOR_HTTP_REQUEST_TIMEOUT_MS: '5000' }, 'CORRIDOR_HTTP_REQUEST_TIMEOUT_MS: http.requestTimeoutMs (5000)'],
    [{ CORRIDOR_HTTP_HEADERS_TIMEOUT_MS: '90000' }, 'CORRIDOR_HTTP_HEADERS_TIMEOUT_MS: http.requestTimeoutMs (60000)'],
  ])('of a head are not longer than of its request: %j', (environment, sentence) => {
    expect(() => load(environment)).toThrow(`${sentence} must be at least http.headersTimeoutMs`)
    expect(() => load({ ...environment, CORRIDOR_HTTP_REQUEST_TIMEOUT_MS: '90000' })).not.toThrow()
  })
})

describe('what is remembered', () => {
  const retention = (rawDays: number, metaDays: number, windowHours: number) => ({
    CORRIDOR_BRIDGE_RETENTION_RAW_DAYS: `${rawDays}`,
    CORRIDOR_BRIDGE_RETENTION_META_DAYS: `${metaDays}`,
    CORRIDOR_BRIDGE_DEDUPE_WINDOW_HOURS: `${windowHours}`,
  })

  it.each([
    [1, 1, 25, ['rawDays (1) must be at least bridge.dedupe.windowHours (25 hours)', 'metaDays (1) must be at least']],
    [2, 1, 24, ['metaDays (1) must be at least bridge.retention.rawDays (2)']],
  ])('of %d days of bytes, %d of the log and %d hours of control ids is not enough', (raw, meta, hours, sentences) => {
    for (const sentence of sentences) expect(() => load(retention(raw, meta, hours))).toThrow(sentence)
  })

  it.each([
    [1, 1, 24],
    [30, 30, 720],
  ])('of %d days of bytes, %d of the log and %d hours of control ids is enough', (raw, meta, hours) => {
    expect(() => load(retention(raw, meta, hours))).not.toThrow()
  })

  it('is refused where somebody set it', () => {
    expect(() => load({ CORRIDOR_BRIDGE_RETENTION_META_DAYS: '7' })).toThrow(
      'CORRIDOR_BRIDGE_RETENTION_META_DAYS: bridge.retention.metaDays (7) must be at least bridge.retention.rawDays (30)',
    )
  })
})

describe('modes', () => {
  const production = {
    CORRIDOR_DATABASE_URL: 'postgres://corridor:a-long-secret@db/corridor',
    CORRIDOR_AUTH_KEY_DIRECTORY: '/var/lib/corridor/keys',
  }

  it('production starts with a database and a key directory of its own, also on an open address', () => {
    expect(() => checkMode(load({ ...production, CORRIDOR_LISTEN_HOSTS: '0.0.0.0' }))).not.toThrow()
  })

  it('lets pages of other hosts call the store over https only', () => {
    const named = (origins: string) => load({ ...production, CORRIDOR_FHIR_ALLOWED_ORIGINS: origins })
    expect(() => checkMode(named('https://app.example,http://app.example'))).toThrow(
      'fhir.allowedOrigins names http://app.example: it must be https; http is for localhost only.',
    )
    for (const fine of ['https://app.example', 'http://localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]:3000']) {
      expect(() => checkMode(named(fine)), fine).not.toThrow()
    }
  })

  it.each([
    [{ CORRIDOR_DATABASE_URL: '' }, 'database.url is missing'],
    [{ CORRIDOR_AUTH_KEY_DIRECTORY: '' }, 'auth.keyDirectory is missing'],
    [{ CORRIDOR_DATABASE_URL: 'postgres://corridor:demo@db/corridor' }, 'database.url uses a demo password'],
  ])('production refuses %j', (change, sentence) => {
    expect(() => checkMode(load({ ...production, ...change }))).toThrow(sentence)
  })

  it.each([
    ['bridge.clientSecret', 'demo', '`corridor clients secret svc-bridge` makes one;'],
    ['consent.clientSecret', 'x'.repeat(31), '`corridor clients secret svc-consent` makes one;'],
    ['referral.clientSecret', 'demo', '`corridor clients secret svc-referral` makes one;'],
    ['immunization.certificateKeySecret', 'letmein', '`openssl rand -hex 32` makes one.'],
  ])('production refuses a %s that could be guessed, of a service that runs: %s', (path, secret, advice) => {
    const loaded = load({ ...production, [variableOf(path)]: secret })
    const sentence = `${path} can be guessed: 32 characters of chance or more. ${advice}`
    expect(() => checkMode(loaded, serviceNames)).toThrow(sentence)
    expect(() => checkMode(loaded, ['auth', 'fhir'])).not.toThrow()
    expect(() => checkMode(loaded)).not.toThrow()
    const long = load({ ...production, [variableOf(path)]: 'x'.repeat(32) })
    expect(() => checkMode(long, serviceNames)).not.toThrow()
    const demo = corridorConfiguration({ demo: true, environment: { [variableOf(path)]: secret } })
    expect(() => checkMode(demo, serviceNames)).not.toThrow()
  })

  it('production refuses secrets of webhooks that could be guessed, by the name of the facility', () => {
    const facility = (webhookSecret: string) => ({
      CORRIDOR_REFERRAL_FACILITIES: JSON.stringify([
        { clientId: 'a', webhookUrl: 'https://a.example', webhookSecret },
        { clientId: 'b' },
      ]),
    })
    expect(() => checkMode(load({ ...production, ...facility('hush') }), ['referral'])).toThrow(
      'referral.facilities: the webhookSecret of a can be guessed: 32 characters of chance or more.',
    )
    expect(() => checkMode(load({ ...production, ...facility('x'.repeat(32)) }), ['referral'])).not.toThrow()
  })

  it.each(['0.0.0.0', '::', '10.0.0.1', 'example.org', '127.0.0.1.example.org'])(
    'demo refuses to listen on %s',
    (host) => {
      const loaded = corridorConfiguration({ demo: true, environment: { CORRIDOR_LISTEN_HOSTS: `127.0.0.1,${host}` } })
      expect(() => checkMode(loaded)).toThrow(`listen.hosts names ${host}`)
      expect(() => checkMode(loaded)).not.toThrow('bridge.mllpHosts')
    },
  )

  it('demo refuses to listen for messages on an address that others reach', () => {
    const loaded = corridorConfiguration({ demo: true, environment: { CORRIDOR_BRIDGE_MLLP_HOSTS: '::1,0.0.0.0' } })
    expect(() => checkMode(loaded)).toThrow('bridge.mllpHosts names 0.0.0.0: demo')
  })
})
