import type { RecordField } from './key.ts'
import { keysOf, type NamedKey, type Schema } from './schema.ts'

/**
 * The reference of every key as Markdown tables, one a group and one for the records of a list; written into
 * docs/configuration.md and held by a test.
 */
export function configurationReference(schema: Schema): string {
  const groups = Map.groupBy(keysOf(schema), ({ path }) => (path.includes('.') ? path.slice(0, path.indexOf('.')) : ''))
  return [...groups].flatMap(([group, keys]) => [heading(group), table(keys), ...keys.flatMap(ofRecords)]).join('\n\n')
}

const heading = (group: string) => (group === '' ? '### The whole' : `### \`${group}\``)

function table(keys: readonly NamedKey[]): string {
  const rows = keys.map(
    ({ path, variable, key }) =>
      `| \`${path}\` | \`${variable}\` | ${cell(key.kind)} | ${cell(key.defaultText)} | ${cell(key.meaning)} |`,
  )
  return ['| Key | Variable | Value | Default | Meaning |', '| --- | --- | --- | --- | --- |', ...rows].join('\n')
}

const ofRecords = ({ path, key: { fields } }: NamedKey): string[] =>
  fields === undefined ? [] : [`#### A record of \`${path}\``, recordTable(fields)]

/** A record has no variables. */
const inEnvironment = ' (in the environment: separated by commas)'

function recordTable(fields: readonly RecordField[]): string {
  const rows = fields.map(
    ({ name, key, isNeeded }) =>
      `| \`${name}\` | ${cell(key.kind).replace(inEnvironment, '')} | ${isNeeded ? 'needed' : cell(key.defaultText)} | ${cell(key.meaning)} |`,
  )
  return ['| Field | Value | Default | Meaning |', '| --- | --- | --- | --- |', ...rows].join('\n')
}

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')
