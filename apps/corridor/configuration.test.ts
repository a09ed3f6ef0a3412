import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { configurationReference } from '../../packages/config/reference.ts'
import { keysOf } from '../../packages/config/schema.ts'
import { configurationSchema, corridorConfiguration } from './configuration.ts'
import { checkMode } from './production-check.ts'

const load = (environment: Record<string, string>) => corridorConfiguration({ environment })

describe('the operational contract', () => {
  it.each([
    ['auth.port', 9000],
    ['bridge.port', 8443],
    ['consent.port', 8082],
    ['referral.port', 8083],
    ['immunization.port', 8084],
    ['fhir.port', 8080],
    ['bridge.mllpPort', 2575],
    ['dataDir', './data'],
    ['auth.url', 'http://localhost:9000'],
    ['bridge.url', 'http://localhost:8443'],
    ['consent.url', 'http://localhost:8082'],
    ['referral.url', 'http://localhost:8083'],
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

  it('has a meaning for every key', () => {
    for (const { path, key } of keysOf(configurationSchema)) expect(key.meaning, path).toMatch(/^[A-Za-z`].*\.$/)
  })

  it('is described in docs/operations.md; after a change of a key: npm run docs', () => {
    const operations = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8')
    expect(operations).toContain(configurationReference(configurationSchema))
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

  it.each([
    [{ CORRIDOR_DATABASE_URL: '' }, 'database.url is missing'],
    [{ CORRIDOR_AUTH_KEY_DIRECTORY: '' }, 'auth.keyDirectory is missing'],
    [{ CORRIDOR_DATABASE_URL: 'postgres://corridor:demo@db/corridor' }, 'database.url uses a demo password'],
  ])('production refuses %j', (change, sentence) => {
    expect(() => checkMode(load({ ...production, ...change }))).toThrow(sentence)
  })

  it.each(['0.0.0.0', '::', '10.0.0.1', 'example.org', '127.0.0.1.example.org'])(
    'demo refuses to listen on %s',
    (host) => {
      const loaded = corridorConfiguration({ demo: true, environment: { CORRIDOR_LISTEN_HOSTS: `127.0.0.1,${host}` } })
      expect(() => checkMode(loaded)).toThrow(`listen.hosts names ${host}`)
    },
  )
})
