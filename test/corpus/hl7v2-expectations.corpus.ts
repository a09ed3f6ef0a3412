import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { parseMessage, type Message } from '../../packages/hl7/index.ts'
import { readQuery } from '../../services/bridge/mapping/families/qbp/read-query.ts'
import { mapMessage } from '../../services/bridge/mapping/map-message.ts'
import { wholeResource } from '../../services/bridge/mapping/merge.ts'
import { testContext } from '../../services/bridge/mapping/testing/context.ts'
import { corpusFiles } from './corpus-files.ts'
import { compare, type Compared } from './expected/compare.ts'
import { codeTables, expectations, type Expectation } from './expected/expectation-files.ts'
import { NaiveMessage } from './expected/naive-message.ts'
import { parseRule } from './expected/rule.ts'

const tables = codeTables()
const files = new Map(corpusFiles('hl7v2', '.hl7').map(({ name, read }) => [name, read]))

describe('messages whose every element somebody has looked up in the tables', () => {
  const compared = expectations().map((expectation) => ({ expectation, results: compareAll(expectation) }))

  it.each(compared.map(({ expectation: { file }, results }) => ({ file, results })))(
    '$file becomes what the tables say',
    ({ results }) => {
      expect(results.filter(({ isEqual }) => !isEqual)).toEqual([])
    },
  )

  it('are forty and more, of all channels', () => {
    const channels = Map.groupBy(compared, ({ expectation }) => expectation.channel)
    for (const [channel, ones] of channels) {
      const elements = ones.flatMap(({ results }) => results)
      const said = elements.filter(({ expected }) => expected.length > 0)
      process.stdout.write(
        `${channel.padEnd(6)} ${ones.length} messages, ${elements.length} elements compared, ` +
          `${said.length} of them with ${said.flatMap(({ expected }) => expected).length} values\n`,
      )
    }
    expect([...channels.keys()].sort()).toEqual(['adt', 'mdm', 'mfn', 'oru', 'orm', 'qbp', 'rde', 'siu'].sort())
    const tierA = compared.filter(({ expectation: { file } }) => file.startsWith('microsoft_FHIR-Converter/'))
    expect(tierA.length).toBeGreaterThanOrEqual(40)
  })
})

describe('a comparison', () => {
  const message = new NaiveMessage(Buffer.from('MSH|^~\\&|A\rPID|||1^^^H^MR~2||DOE^JANE^""||19800102|F\r'))
  const patient = { resourceType: 'Patient', birthDate: '1980-01-02', name: [{ family: 'DOE' }], gender: 'male' }

  it.each([
    ['Patient.birthDate = date(PID-7)', true],
    ['Patient.name.family = PID-5[*].1', true],
    ['Patient.gender = v0001(PID-8)', false],
    ['Patient.identifier.value = PID-3[*].1', false],
    ['Patient.name.given = given(PID-5)', false],
    ['Patient.deceasedDateTime = dateTime(PID-29)', true],
    ['Patient.birthDate = nothing', false],
  ])('%s is found to be %s', (rule, isEqual) => {
    expect(compare(parseRule(rule), [patient], message, tables).isEqual).toBe(isEqual)
  })
})

function compareAll({ file, sha256, rules }: Expectation): Compared[] {
  const bytes = files.get(file)?.()
  if (bytes === undefined) return [{ rule: 'the file is in the corpus', expected: [file], found: [], isEqual: false }]
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, sha256.length)
  if (hash !== sha256)
    return [{ rule: 'the file is the one that was read', expected: [sha256], found: [hash], isEqual: false }]
  const resources = resourcesOf(parseMessage(bytes))
  const message = new NaiveMessage(bytes)
  return rules.map((rule) => compare(rule, resources, message, tables))
}

/** What the message becomes; a question becomes nothing, so what was understood of it stands for that. */
function resourcesOf(message: Message): readonly object[] {
  const mapping = mapMessage(message, testContext())
  if (mapping.refused !== undefined) return []
  const read = mapping.writes.length === 0 ? readQuery(message, testContext()) : undefined
  return read !== undefined && 'query' in read
    ? [{ resourceType: 'Query', ...read.query }]
    : mapping.writes.map(wholeResource)
}
