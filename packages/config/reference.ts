import { keysOf, type NamedKey, type Schema } from './schema.ts'

/** The reference of every key as Markdown tables, one a group; written into docs/configuration.md and held by a test. */
export function configurationReference(schema: Schema): string {
  const groups = Map.groupBy(keysOf(schema), ({ path }) => (path.includes('.') ? path.slice(0, path.indexOf('.')) : ''))
  return [...groups].map(([group, keys]) => `${heading(group)}\n\n${table(keys)}`).join('\n\n')
}

const heading = (group: string) => (group === '' ? '### The whole' : `### \`${group}\``)

function table(keys: readonly NamedKey[]): string {
  const rows = keys.map(
    ({ path, variable, key }) =>
      `| \`${path}\` | \`${variable}\` | ${cell(key.kind)} | ${cell(key.defaultText)} | ${cell(key.meaning)} |`,
  )
  return ['| Key | Variable | Value | Default | Meaning |', '| --- | --- | --- | --- | --- |', ...rows].join('\n')
}

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')
