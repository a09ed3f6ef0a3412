import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { flag, optionalText, text, texts } from './key.ts'
import { loadConfiguration } from './load.ts'
import { printConfiguration } from './print.ts'
import { configurationReference } from './reference.ts'
import { records } from './records.ts'

const schema = {
  clients: records({
    meaning: 'Apps.',
    needed: ['clientId'],
    secret: true,
    fields: {
      clientId: text({ default: '', meaning: 'Its name.' }),
      redirectUris: texts({ default: [], meaning: 'Where it is sent back to.' }),
      isFirstParty: flag({ default: false, meaning: 'Whether it is ours.' }),
      organisation: optionalText({ meaning: 'Whose it is.' }),
    },
  }),
}

const load = (clients: string) => loadConfiguration(schema, { environment: { CORRIDOR_CLIENTS: clients } })

describe('records', () => {
  it('may stand in a file of their own, where they are secret', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'corridor-records-'))
    const file = join(folder.path, 'clients.json')
    await writeFile(file, '[{"clientId":"a"}]\n')
    const { configuration } = loadConfiguration(schema, { environment: { CORRIDOR_CLIENTS_FILE: file } })
    expect(configuration.clients).toMatchObject([{ clientId: 'a' }])
  })

  it('are typed values with the defaults of their fields', () => {
    const { configuration } = load('[{"clientId":"a","redirectUris":["https://a.example/cb"]},{"clientId":"b"}]')
    expect(configuration.clients).toEqual([
      { clientId: 'a', redirectUris: ['https://a.example/cb'], isFirstParty: false, organisation: undefined },
      { clientId: 'b', redirectUris: [], isFirstParty: false, organisation: undefined },
    ])
    expect(loadConfiguration(schema, { environment: {} }).configuration.clients).toEqual([])
  })

  it.each([
    ['{"clientId":"a"}', 'must be a list of records'],
    ['not json', 'must be a list of records'],
    ['["a"]', '[0] must be a record'],
    ['[{"clientId":"a"},{}]', '[1].clientId is missing'],
    ['[{"clientId":"a","redirectUri":["x"]}]', '[0].redirectUri is not a known field (did you mean redirectUris?)'],
    ['[{"clientId":"a","isFirstParty":"yes"}]', '[0].isFirstParty must be true or false'],
  ])('refuse %s and say where', (clients, wrong) => {
    expect(() => load(clients)).toThrow(wrong)
  })

  it('say which text of a file lacks its quotes', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'corridor-records-'))
    const file = join(folder.path, 'corridor.yaml')
    await writeFile(file, 'clients:\n  - clientId: a\n    isFirstParty: true\n    organisation: 0123\n')
    expect(() => loadConfiguration(schema, { file, environment: {} })).toThrow(
      '[0].organisation must be a text, and YAML reads 0123 as a number: put it in quotes, "0123".',
    )
  })

  it('say every mistake at once', () => {
    expect(() => load('[{},{"clientId":7}]')).toThrow(/\[0\]\.clientId is missing; \[1\]\.clientId must be a text/)
  })

  it('have a row for every field in the reference, which says what each must have', () => {
    const reference = configurationReference(schema)
    expect(reference).toContain(
      '| `clients` | `CORRIDOR_CLIENTS` | list of records (in the environment: JSON) | none |',
    )
    expect(reference.slice(reference.indexOf('####')).split('\n')).toEqual([
      '#### A record of `clients`',
      '',
      '| Field | Value | Default | Meaning |',
      '| --- | --- | --- | --- |',
      '| `clientId` | text | needed | Its name. |',
      '| `redirectUris` | list of texts | none | Where it is sent back to. |',
      '| `isFirstParty` | true or false | false | Whether it is ours. |',
      '| `organisation` | text | none | Whose it is. |',
    ])
  })

  it('are masked as a whole where they may hold secrets', () => {
    expect(printConfiguration(schema, load('[{"clientId":"hush"}]'))).toBe('clients: "***" # CORRIDOR_CLIENTS\n')
    expect(printConfiguration(schema, loadConfiguration(schema, { environment: {} }))).toBe('clients: []\n')
  })
})
