import { readdir } from 'node:fs/promises'
import type { CodeMap } from './code-map.ts'
import type { Row, SegmentMap } from './segment-map.ts'

/** Every segment map and code table as Markdown, from the tables that the mapping itself runs on. */
export async function mappingReference(): Promise<string> {
  const segments = (await tablesIn('./segments/')).map(({ table }) => table).filter(isSegmentMap)
  const codes = (await tablesIn('./v/')).flatMap(({ name, table }) => (isCodeMap(table) ? [{ name, table }] : []))
  return [
    '## Segments',
    ...segments.map((map) => `### ${map.segment} to ${map.resource}\n\n${segmentTable(map)}`),
    '## Code tables',
    ...codes.map(({ name, table }) => `### ${table.table} ${table.name} (\`${name}\`)\n\n${codeTable(table)}`),
  ].join('\n\n')
}

/** What the files of a folder export, file by file. */
async function tablesIn(folder: string): Promise<{ readonly name: string; readonly table: unknown }[]> {
  const place = new URL(folder, import.meta.url)
  const files = (await readdir(place)).filter((name) => /^[^.]+\.[jt]s$/.test(name)).sort()
  const modules = await Promise.all(files.map((name) => import(new URL(name, place).href) as Promise<object>))
  return modules.flatMap((module) =>
    Object.entries(module)
      .map(([name, table]: [string, unknown]) => ({ name, table }))
      .sort((one, other) => (one.name < other.name ? -1 : 1)),
  )
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

const isSegmentMap = (value: unknown): value is SegmentMap =>
  isObject(value) && 'segment' in value && 'resource' in value && 'rows' in value

const isCodeMap = (value: unknown): value is CodeMap<unknown> =>
  isObject(value) && 'table' in value && 'name' in value && 'rows' in value

function segmentTable({ segment, rows }: SegmentMap): string {
  const lines = rows
    .toSorted((one, other) => one.field - other.field)
    .map(({ field, name, to }) => `| ${segment}-${field} | ${cell(name)} | ${elementOf(to)} |`)
  return ['| Field | Name | FHIR element |', '| --- | --- | --- |', ...lines].join('\n')
}

function codeTable({ rows }: CodeMap<unknown>): string {
  const lines = Object.entries(rows).map(([code, to]) => `| \`${cell(code)}\` | ${meaningOf(to)} |`)
  return ['| Code | FHIR |', '| --- | --- |', ...lines].join('\n')
}

/** `extension(http://…/patient-religion)` is told by its name; `extension(own:race)` is one of ours. */
function elementOf(to: Row['to']): string {
  const [, own, url] = /^extension\((?:own:(.*)|(.*))\)$/.exec(to) ?? []
  if (own !== undefined) return `extension \`${own}\` (ours)`
  if (url !== undefined) return `extension [${url.slice(url.lastIndexOf('/') + 1)}](${url})`
  return `\`${to}\``
}

/** A code is known and says nothing where it has no counterpart. */
function meaningOf(to: unknown): string {
  if (to === undefined) return 'nothing'
  if (!isObject(to)) return `\`${cell(typeof to === 'string' ? to : JSON.stringify(to))}\``
  return Object.entries(to)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name} \`${cell(typeof value === 'string' ? value : JSON.stringify(value))}\``)
    .join(', ')
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')
