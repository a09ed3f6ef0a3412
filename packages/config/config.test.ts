import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { address, choice, count, flag, optionalText, port, seconds, text, texts } from './key.ts'
import { loadConfiguration } from './load.ts'
import { printConfiguration } from './print.ts'
import { configurationReference } from './reference.ts'
import { variableOf } from './schema.ts'

const schema = {
  mode: choice({ words: ['demo', 'production'], default: 'production', meaning: 'How strict the start is.' }),
  auth: {
    port: port({ default: 9000, meaning: 'Where the authorization server listens.' }),
    url: address({
      derive: (read) => `http://localhost:${String(read('auth.port'))}`,
      defaultText: 'http://localhost:<auth.port>',
      meaning: 'Its public address.',
    }),
    accessTokenSeconds: seconds({ default: 3600, min: 60, max: 3600, meaning: 'How long an access token lives.' }),
    picker: flag({ default: true, meaning: 'Whether a picker is shown.' }),
    origins: texts({ default: [], meaning: 'Who may call from a browser.' }),
  },
  database: {
    url: optionalText({ secret: true, meaning: 'Any PostgreSQL.' }),
    key: text({ secret: true, derive: () => '', defaultText: 'none', meaning: 'What opens it.' }),
    poolMax: count({ default: 10, min: 1, max: 100, meaning: 'Connections at most.' }),
    name: text({ default: 'corridor', meaning: 'The name.' }),
    zone: text({
      default: '+00:00',
      form: { is: (offset) => offset.includes(':'), wrong: 'must be an offset such as +03:00' },
      meaning: 'Its zone.',
    }),
  },
}

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'corridor-config-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function file(name: string, content: string): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

const load = (yaml: string, environment: Record<string, string> = {}) =>
  loadConfiguration(schema, { file: file('corridor.yaml', yaml), environment })

describe('loading', () => {
  it('takes defaults, then the file, then the environment', () => {
    const { configuration, sourceOf } = load('auth:\n  port: 9100\n  accessTokenSeconds: 600\n', {
      CORRIDOR_AUTH_ACCESS_TOKEN_SECONDS: '900',
    })
    expect(configuration.auth).toMatchObject({ port: 9100, accessTokenSeconds: 900, url: 'http://localhost:9100' })
    expect(configuration.database.poolMax).toBe(10)
    expect(sourceOf('auth.port')).toBe('corridor.yaml:2:3')
    expect(sourceOf('auth.accessTokenSeconds')).toBe('CORRIDOR_AUTH_ACCESS_TOKEN_SECONDS')
    expect(sourceOf('database.poolMax')).toBe('default')
  })

  it('takes an alias for what it stands for, be it a value, a group or a part of a list', () => {
    const aliased =
      'auth: &a\n  port: &p 9100\n  accessTokenSeconds: &s 600\n  origins: [&o http://a.example, *o]\n' +
      'database:\n  poolMax: *s\n'
    expect(() => load(aliased)).toThrow('corridor.yaml:6:3: database.poolMax must be a whole number from 1 to 100.')
    const { configuration } = load('mode: &m demo\ndatabase: { name: *m }\nauth: { origins: [&o a, *o] }\n')
    expect([configuration.database.name, configuration.auth.origins]).toEqual(['demo', ['a', 'a']])
    const { port: key } = schema.auth
    const groups = { one: { port: key }, other: { port: key } }
    const path = file('groups.yaml', 'one: &g { port: 9100 }\nother: *g\n')
    expect(loadConfiguration(groups, { file: path, environment: {} }).configuration.other.port).toBe(9100)
  })

  it('takes a group that holds nothing', () => {
    expect(load('auth: {}\n').configuration.auth.port).toBe(9000)
  })

  it('needs no file', () => {
    expect(loadConfiguration(schema, { environment: {} }).configuration.mode).toBe('production')
  })

  it('lets the caller change a default without overruling what an operator sets', () => {
    const options = { environment: {}, defaults: { mode: 'demo' } }
    expect(loadConfiguration(schema, options).configuration.mode).toBe('demo')
    const set = { ...options, environment: { CORRIDOR_MODE: 'production' } }
    expect(loadConfiguration(schema, set).configuration.mode).toBe('production')
  })

  it.each([
    ['auth.port', 'CORRIDOR_AUTH_PORT'],
    ['auth.accessTokenSeconds', 'CORRIDOR_AUTH_ACCESS_TOKEN_SECONDS'],
    ['dataDir', 'CORRIDOR_DATA_DIR'],
    ['bridge.mllpPort', 'CORRIDOR_BRIDGE_MLLP_PORT'],
    ['database.url', 'CORRIDOR_DATABASE_URL'],
  ])('%s is %s in the environment', (path, variable) => {
    expect(variableOf(path)).toBe(variable)
  })

  it('reads a secret from a file of its own, named in the file or in the environment', () => {
    const secret = file('url', 'postgres://corridor:hush@db/corridor\n')
    expect(load(`database:\n  urlFile: ${secret}\n`).configuration.database.url).toBe(
      'postgres://corridor:hush@db/corridor',
    )
    expect(load('', { CORRIDOR_DATABASE_URL_FILE: secret }).configuration.database.url).toBe(
      'postgres://corridor:hush@db/corridor',
    )
  })

  it('does not read the file of a secret that is set elsewhere, nor of one that is not needed', () => {
    const secret = file('other-url', 'postgres://db/other\n')
    const hidden = 'database:\n  urlFile: /nowhere\n'
    for (const [variable, value] of [
      ['CORRIDOR_DATABASE_URL_FILE', secret],
      ['CORRIDOR_DATABASE_URL', 'postgres://db/other'],
    ] as const) {
      expect(load(hidden, { [variable]: value }).configuration.database.url).toBe('postgres://db/other')
    }
    const options = { file: file('corridor.yaml', hidden), environment: {}, needsSecret: () => false }
    const { configuration, sourceOf } = loadConfiguration(schema, options)
    expect([configuration.database.url, sourceOf('database.url')]).toEqual([undefined, 'default'])
  })

  it('leaves variables alone that a container platform makes for a service named like us', () => {
    const environment = {
      CORRIDOR_SERVICE_HOST: '10.0.0.1',
      CORRIDOR_PORT_9000_TCP_ADDR: '10.0.0.1',
      CORRIDOR_AUTH_PORT: 'tcp://10.0.0.1:9000',
    }
    expect(loadConfiguration(schema, { environment }).configuration.auth.port).toBe(9000)
  })

  it('takes a list from the environment', () => {
    expect(load('', { CORRIDOR_AUTH_ORIGINS: 'http://a, http://b' }).configuration.auth.origins).toEqual([
      'http://a',
      'http://b',
    ])
  })
})

describe('refusing', () => {
  it.each([
    ['auth:\n  prot: 1\n', {}, 'corridor.yaml:2:3: auth.prot is not a known key. Did you mean auth.port?'],
    ['\n\nmodus: demo\n', {}, 'corridor.yaml:3:1: modus is not a known key. Did you mean mode?'],
    ['zzzzzzzzzz: 1\n', {}, 'corridor.yaml:1:1: zzzzzzzzzz is not a known key.'],
    ['', { CORRIDOR_AUTH_PROT: '1' }, 'CORRIDOR_AUTH_PROT is not a known variable. Did you mean CORRIDOR_AUTH_PORT?'],
    ['auth:\n  port: 65536\n', {}, 'corridor.yaml:2:3: auth.port must be a whole number from 0 to 65535.'],
    [
      'auth:\n  port: "9000"\n',
      {},
      'corridor.yaml:2:3: auth.port must be a whole number from 0 to 65535, without quotes.',
    ],
    ['', { CORRIDOR_AUTH_PORT: '9e3' }, 'CORRIDOR_AUTH_PORT: auth.port must be a whole number from 0 to 65535.'],
    ['auth:\n  accessTokenSeconds: 59\n', {}, 'auth.accessTokenSeconds must be a whole number from 60 to 3600.'],
    ['auth:\n  accessTokenSeconds: 3601\n', {}, 'auth.accessTokenSeconds must be a whole number from 60 to 3600.'],
    ['mode: Demo\n', {}, 'corridor.yaml:1:1: mode must be one of demo, production.'],
    ['auth:\n  picker: yes please\n', {}, 'auth.picker must be true or false.'],
    ['auth:\n  url: ftp://x\n', {}, 'auth.url must be an address such as http://localhost:9000'],
    ['auth:\n  url: http://me:pass@x\n', {}, 'auth.url must be an address such as http://localhost:9000'],
    ['auth:\n  url: http://x?a=1\n', {}, 'auth.url must be an address such as http://localhost:9000'],
    ['auth: 7\n', {}, 'corridor.yaml:1:1: auth must hold keys, such as auth.port.'],
    ['auth: [7]\n', {}, 'corridor.yaml:1:1: auth must hold keys, such as auth.port.'],
    ['other: {}\n', {}, 'corridor.yaml:1:1: other is not a known key.'],
    ['auth: { other: {} }\n', {}, 'corridor.yaml:1:9: auth.other is not a known key.'],
    ['auth: { other: { port: {} } }\n', {}, 'corridor.yaml:1:18: auth.other.port is not a known key.'],
    ['database: { urlFile: {} }\n', {}, 'corridor.yaml:1:13: database.urlFile is not a known key.'],
    ['- a\n- b\n', {}, 'corridor.yaml:1:1: The file must hold keys and values'],
    ['mode: demo\nmode: demo\n', {}, 'corridor.yaml:2:1: Map keys must be unique'],
    ['mode: [demo\n', {}, 'corridor.yaml:2:1: '],
    ['auth: &a\n  other: *a\n', {}, 'corridor.yaml:2:3: auth.other is an alias of what it stands in.'],
    ['auth:\n  origins: &o [*o]\n', {}, 'corridor.yaml:2:3: auth.origins must be'],
    ['auth: *nobody\n', {}, 'corridor.yaml:1:1: auth: Unresolved alias'],
    ['auth:\n  origins: [*nobody]\n', {}, 'corridor.yaml:2:3: auth.origins: Unresolved alias'],
    ['', { CORRIDOR_DATABASE_URL_FILE: '/nowhere' }, 'The file /nowhere for database.url cannot be read.'],
  ])('%j with %j says: %s', (yaml, environment, sentence) => {
    expect(() => load(yaml, environment as Record<string, string>)).toThrow(sentence)
  })

  it.each([
    ['database:\n  name: 0123\n', 'corridor.yaml:2:3: database.name must be a text, and YAML reads 0123 as a number'],
    ['database: { name: 1.10 }\n', 'YAML reads 1.10 as a number: put it in quotes, "1.10".'],
    ['database: { name: +491701234567 }\n', 'YAML reads +491701234567 as a number: put it in quotes, "+491701234567".'],
    ['database: { name: True }\n', 'YAML reads True as true or false: put it in quotes, "True".'],
    [
      'auth:\n  accessTokenSeconds: &s 0900\ndatabase:\n  name: *s\n',
      '4:3: database.name must be a text, and YAML reads 0900',
    ],
    [
      'auth: { origins: [a, 007] }\n',
      'auth.origins must be a text, and YAML reads 007 as a number: put it in quotes, "007".',
    ],
  ])('says of %j where quotes are missing: %s', (yaml, sentence) => {
    expect(() => load(yaml)).toThrow(sentence)
  })

  it.each([
    ['auth: { port: "90000" }\n', 'auth.port must be a whole number from 0 to 65535.'],
    ['database: { zone: +0300 }\n', 'database.zone must be an offset such as +03:00.'],
  ])('says of %j what quotes would not mend, or do not let through: %s', (yaml, sentence) => {
    expect(() => load(yaml)).toThrow(sentence)
  })

  it('shows no secret that lacks its quotes, and asks for none where they would not help', () => {
    const sentence = 'database.key must be a text, and without quotes YAML reads it as a number: put it in quotes.'
    expect(() => load('database: { key: 0987654321 }\n')).toThrow(sentence)
    expect(() => load('database: { key: 0987654321 }\n')).not.toThrow('0987654321')
    expect(() => load('database: { name: null }\n')).toThrow('database.name must be a text that is not empty.')
    expect(() => load('auth: { port: 1.5 }\n')).toThrow('auth.port must be a whole number from 0 to 65535.')
    expect(load('database: { name: no }\n').configuration.database.name).toBe('no')
  })

  it('takes no secret that stands beside the file for it', () => {
    const secret = file('url', 'postgres://db/other\n')
    expect(() => load(`database:\n  url: postgres://db/one\n  urlFile: ${secret}\n`)).toThrow(
      'corridor.yaml:3:3: database.url and database.urlFile are both set. Keep one of them.',
    )
    const both = { CORRIDOR_DATABASE_URL: 'postgres://db/one', CORRIDOR_DATABASE_URL_FILE: secret }
    const sentence = 'CORRIDOR_DATABASE_URL and CORRIDOR_DATABASE_URL_FILE are both set. Keep one of them.'
    expect(() => load('', both)).toThrow(sentence)
    expect(load('', { ...both, CORRIDOR_DATABASE_URL_FILE: '' }).configuration.database.url).toBe('postgres://db/one')
  })

  it('says everything that is wrong at once', () => {
    expect(() => load('auth:\n  prot: 1\n  port: no\n', { CORRIDOR_MODE: 'x' })).toThrow(
      /prot is not a known key.*\n.*port must be.*\n.*mode must be/,
    )
  })

  it('says which file it cannot read', () => {
    expect(() => loadConfiguration(schema, { file: join(folder, 'none.yaml'), environment: {} })).toThrow(
      /The configuration file .*none\.yaml cannot be read\. Check the path and its permissions\./,
    )
  })
})

describe('showing', () => {
  it('prints the effective configuration with its sources and without a secret', () => {
    const loaded = load('auth:\n  port: 9100\n', { CORRIDOR_DATABASE_URL: 'postgres://u:hush@h/d' })
    const printed = printConfiguration(schema, loaded)
    expect(printed).toContain('port: 9100 # corridor.yaml:2:3')
    expect(printed).toContain('url: "***" # CORRIDOR_DATABASE_URL')
    expect(printed).not.toContain('hush')
    expect(printed).toContain('poolMax: 10\n')
  })

  it('masks what an address has behind its question mark, where gateways have their keys', () => {
    const printed = printConfiguration(
      schema,
      load('database: { name: https://sms.example/send?key=hush }\nauth: { origins: [https://a.example/?hush] }'),
    )
    expect(printed).not.toContain('hush')
    expect(printed).toContain('name: https://sms.example/send?*** # corridor.yaml:1:13')
  })

  it('shows which secrets nobody has set', () => {
    const printed = (environment: Record<string, string>) => printConfiguration(schema, load('', environment))
    expect(printed({})).toMatch(/url: null\n +key: null\n/)
    expect(printed({ CORRIDOR_DATABASE_KEY: 'hush' })).toMatch(/url: null\n +key: "\*\*\*" # CORRIDOR_DATABASE_KEY\n/)
  })

  it('has a row for every key in the reference', () => {
    const reference = configurationReference(schema)
    expect(reference).toContain(
      '| `auth.url` | `CORRIDOR_AUTH_URL` | address (http or https) | http://localhost:<auth.port> | Its public address. |',
    )
    expect(reference).toContain('| `database.url` | `CORRIDOR_DATABASE_URL` | text, secret | none | Any PostgreSQL. |')
  })
})
