import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { runCommandLine } from '../../apps/corridor/command-line.ts'
import { makeZone, parseMessage } from '../../packages/hl7/index.ts'
import { silentLog } from '../../packages/log/log.ts'
import { openDatabase } from '../../packages/sql/database.ts'
import { ownPlace } from '../../packages/testkit/corridor-command.ts'
import { testCorridorDatabase } from '../../packages/testkit/test-corridor.ts'
import { mapMessage } from '../../services/bridge/mapping/map-message.ts'
import { answerNeeds } from '../../services/fhir/terminology/answer-needs.ts'
import { loadedTerminology } from '../../services/fhir/terminology/store/loaded-terminology.ts'
import { readText } from './read-file.ts'

const operations = readText('docs/operations.md')

it('the table and the map of the documentation are loaded by its commands, and a sender’s code means what the map says', async () => {
  await using place = await ownPlace()
  await using database = await testCorridorDatabase()
  const run = async (file: string, ...words: readonly string[]) => {
    let said = ''
    const terminal = {
      ...{ isInteractive: false, hasColour: false },
      out: (text: string) => void (said += text),
      err: (text: string) => void (said += text),
    }
    const environment = { ...place.environment, CORRIDOR_DATABASE_URL: database.url, CORRIDOR_MODE: 'demo' }
    const signals = { first: () => new Promise<string>(() => {}) }
    const input = new PassThrough().end()
    const load = ['terminology', 'load', file, ...words]
    return { code: await runCommandLine(load, { terminal, signals, environment, input }), said }
  }
  const [table, map] = [join(place.folder, 'codes.csv'), join(place.folder, 'terminology.json')]
  await writeFile(table, /```csv\n([^`]*)```/.exec(operations)?.[1] ?? '')
  await writeFile(map, /```json\n([^`]*)```/.exec(operations)?.[1] ?? '')
  const own = 'https://corridor.example.org/codes/CENTRAL/local'
  expect(await run(table, '--system', own)).toEqual({ code: 0, said: `CodeSystem ${own}: 2 entries\n` })
  expect(await run(map)).toMatchObject({
    code: 0,
    said: expect.stringContaining('central-laboratory: 2 entries') as string,
  })

  const open = await openDatabase({ url: database.url, poolMax: 2, log: silentLog })
  const mapping = mapMessage(parseMessage(result), context)
  const asked = mapping.refused === undefined ? mapping.needs.filter(({ code }) => code === 'GLU') : []
  expect(asked[0]?.system).toBe(own)
  expect((await answerNeeds(asked, loadedTerminology(open)))[0]).toMatchObject([
    { system: 'http://loinc.org', code: '2345-7' },
  ])
  await open.close()
})

const result = Buffer.from(
  [
    'MSH|^~\\&|LAB|CENTRAL|||20260304101500||ORU^R01|R1|P|2.5.1',
    'PID|1||7^^^CENTRAL^MR',
    'OBR|1||5|GLU^Glucose^L',
    'OBX|1|NM|GLU^Glucose^L||5.1',
  ].join('\r'),
)

const context = {
  base: 'https://corridor.example.org',
  facility: { code: 'CENTRAL', organization: 'Organization/central-hospital', namespaces: new Map<string, string>() },
  zone: makeZone('UTC'),
  settings: {},
  terms: new Map(),
}
