import { describe, expect, it } from 'vitest'
import { splitBatch, tryParseMessage, type Message } from '../../packages/hl7/index.ts'
import { families } from '../../services/bridge/mapping/families.ts'
import { mapMessage } from '../../services/bridge/mapping/map-message.ts'
import type { Mapping, Warning } from '../../services/bridge/mapping/mapped.ts'
import { answers, testContext } from '../../services/bridge/mapping/testing/context.ts'
import { makeUnsound } from '../../services/bridge/mapping/testing/unsound.ts'
import { corpusFiles } from './corpus-files.ts'

const unsound = await makeUnsound()

interface Tried {
  readonly file: string
  readonly source: string
  readonly type: string
  readonly mapping: Mapping
}

describe('every message of other people that has a family', () => {
  const tried = [...messagesWithFamily()].map(({ file, type, message }) => ({
    file,
    source: file.split('/')[0] ?? '',
    type,
    mapping: mapInPasses(message),
  }))

  it('becomes valid R4 whose references resolve, or is refused with a reason', () => {
    print(tried)
    const broken = tried.flatMap(({ file, mapping }) => unsound(mapping).map((what) => `${file}: ${what}`))
    expect(broken).toEqual([])
    expect(tried.length).toBeGreaterThan(800)
  })
})

function* messagesWithFamily(): Generator<{ file: string; type: string; message: Message }> {
  for (const { name, read } of corpusFiles('hl7v2', '.hl7')) {
    for (const bytes of splitBatch(read()).messages) {
      const { message } = tryParseMessage(bytes)
      const type = message?.getText('MSH-9.1') ?? ''
      if (message !== undefined && Object.hasOwn(families, type)) yield { file: name, type, message }
    }
  }
}

/** As the pipeline does it, with a terminology that knows hardly any code: what is marked is the harder case. */
function mapInPasses(message: Message): Mapping {
  const context = testContext()
  const first = mapMessage(message, context)
  return first.refused === undefined ? mapMessage(message, { ...context, terms: answers(first.needs) }) : first
}

/** Counts by type and by source, then every message that was refused or lost something, by reason. */
function print(tried: readonly Tried[]): void {
  const lines = [
    table('type', tried, ({ type }) => type),
    table('source', tried, ({ source }) => source),
    'refused, or with something left out:',
    ...reasons(tried),
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}

function table(title: string, tried: readonly Tried[], by: (one: Tried) => string): string {
  const header = `${title.padEnd(40)}${['messages', 'refused', 'warned', 'resources'].map((name) => name.padStart(11)).join('')}`
  const groups = Map.groupBy(tried, by)
  const rows = [...groups]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([name, ones]) => {
      const mapped = ones.flatMap(({ mapping }) => (mapping.refused === undefined ? [mapping] : []))
      const counts = [
        ones.length,
        ones.length - mapped.length,
        mapped.filter(({ warnings }) => warnings.some(isLoss)).length,
        mapped.reduce((sum, { writes }) => sum + writes.length, 0),
      ]
      return `${name.padEnd(40)}${counts.map((count) => String(count).padStart(11)).join('')}`
    })
  return [header, ...rows, ''].join('\n')
}

/** Unknown codes and segments of the sender's own are kept, and a time without seconds is only filled up: no loss. */
const isLoss = ({ kind, text }: Warning): boolean => losses.has(kind) && !text.includes('is taken as zero')

const losses: ReadonlySet<Warning['kind']> = new Set([
  'not-kept',
  'bad-date',
  'bad-number',
  'bad-value',
  'unknown-value',
])

function reasons(tried: readonly Tried[]): string[] {
  const found = tried.flatMap(({ file, type, mapping }) => {
    const texts =
      mapping.refused === undefined
        ? mapping.warnings.filter(isLoss).map(({ path, text }) => `${path.replaceAll(/\[\d+\]/g, '')} ${text}`)
        : mapping.refused.map(({ text }) => `refused: ${text}`)
    return [...new Set(texts)].map((text) => ({ reason: `${type} ${text}`, file }))
  })
  return [...Map.groupBy(found, ({ reason }) => reason)]
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([reason, ones]) => {
      const files = ones.slice(0, 3).map(({ file }) => shortName(file))
      const more = ones.length > files.length ? `, and ${ones.length - files.length} more` : ''
      return `  ${String(ones.length).padStart(4)} ${reason} (${files.join(', ')}${more})`
    })
}

/** The source and the last steps of the path that its file names keep. */
const shortName = (file: string): string =>
  `${file.split('/')[0]}/…${file.slice(0, -'.hl7'.length).split('__').slice(-2).join('__')}`
