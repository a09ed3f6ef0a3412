import { readdirSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { configurationSchema } from '../../apps/corridor/configuration.ts'
import { serviceNames } from '../../apps/corridor/service-names.ts'
import { keysOf } from '../../packages/config/schema.ts'
import { projectFolder, readText } from './read-file.ts'

/** The list of operations is made from the routes themselves, the configuration reference from the keys. */
const pages = readdirSync(join(projectFolder, 'docs')).filter(
  (name) => name.endsWith('.md') && name !== 'api-reference.md',
)
const text = pages.map((name) => readText(`docs/${name}`).replace(/<!-- configuration reference[^]*/, '')).join('\n')

/** Words of `corridor …` in code, one list a command. In tables `|` is written `\|` and stands between alternatives. */
const commands = [...text.matchAll(/(?:`|^|corridor\.js |silent )corridor (?:-- )?([^`\n]+)/gm)]
  .flatMap(([, words = '']) => alternatives(words))
  .map((words) => words.split(' ').filter((word) => word !== ''))
  .filter(([first = '']) => /^[a-z]/.test(first))

function alternatives(words: string): string[] {
  const [head = '', choices = '', rest = ''] = /^([\w-]+ )?(\w+(?:\\\|[\w-]+)+)(.*)$/.exec(words)?.slice(1) ?? []
  return choices === '' ? [words] : choices.split('\\|').map((choice) => `${head}${choice}${rest}`)
}

/** The sources of the command line: which commands and options there are. */
async function commandLine(): Promise<string> {
  const sources: string[] = []
  for await (const file of glob('apps/corridor/{command-line.ts,commands/**/*.ts}', { cwd: projectFolder })) {
    sources.push(readText(file))
  }
  return sources.join('\n')
}

const known = keysOf(configurationSchema).flatMap(({ path, key }) => (key.secret ? [path, `${path}File`] : [path]))

/** The keys that a YAML document sets, as the configuration names them. */
function pathsIn(node: unknown, above = ''): string[] {
  if (typeof node !== 'object' || node === null || Array.isArray(node)) return [above]
  return Object.entries(node).flatMap(([name, value]) => pathsIn(value, above === '' ? name : `${above}.${name}`))
}

const groups = new Set(['keys', 'certificate-keys', 'certificates', 'clients', 'users', 'terminology', 'audit', 'hl7'])

describe('what the documentation tells an operator to type', () => {
  it('names only commands and options that there are', async () => {
    const sources = await commandLine()
    const names = commands.flatMap((words) => words.slice(0, groups.has(words[0] ?? '') ? 2 : 1))
    expect([...new Set(names)].filter((name) => !sources.includes(`.command('${name}')`))).toEqual([])
    const options = commands.flatMap((words) => words.join(' ').match(/(?<=^| )--[a-z-]+/g) ?? [])
    const isKnown = (option: string) => new RegExp(`['\\s]${option}['\\s]`).test(sources)
    expect([...new Set(options)].filter((option) => option !== '--help' && !isKnown(option))).toEqual([])
    expect(names.length).toBeGreaterThan(20)
  })

  it('names only keys of the configuration, and queues and tables that there are', async () => {
    const tables = new Set<string>()
    for await (const file of glob('services/*/migrations/*.sql', { cwd: projectFolder })) {
      for (const [, name = ''] of readText(file).matchAll(/^create table (\w+\.\w+)/gm)) tables.add(name)
    }
    const queues = new Set<string>()
    for await (const file of glob('services/*/**/*.ts', { cwd: projectFolder })) {
      if (file.endsWith('.test.ts')) continue
      const declared = readText(file).matchAll(/(?:Queue =|Topic =|topic:|syslog:|fhir:) '([a-z]+\.[a-z.-]+)'/g)
      for (const [, name = ''] of declared) queues.add(name)
    }
    const sections = ['log', 'listen', 'http', 'outbound', 'database', 'workspace', ...serviceNames].join('|')
    const named = [...text.matchAll(new RegExp(`\`((?:${sections})\\.[a-z][\\w.<>]*)[\`:]`, 'gi'))].map(
      ([, path = '']) => path.replace('<channel>', 'adt'),
    )
    const isKnown = (path: string) => known.some((one) => one === path || one.startsWith(`${path}.`))
    expect(named.filter((path) => !isKnown(path) && !queues.has(path) && !tables.has(path))).toEqual([])
    expect(named.length).toBeGreaterThan(30)
  })

  it('sets only keys of the configuration in its examples', () => {
    const examples = [...text.matchAll(/```yaml\n([^`]*)```/g)].map(([, example = '']) => parse(example) as unknown)
    const set = examples.flatMap((example) => pathsIn(example))
    expect(set.filter((path) => !known.includes(path))).toEqual([])
    expect(set.length).toBeGreaterThan(20)
  })

  it('names only addresses that a route has', async () => {
    const declared = new Set<string>()
    for await (const file of glob('services/*/routes/**/*.{ts,tsx}', { cwd: projectFolder })) {
      for (const [, path = ''] of readText(file).matchAll(/'(\/api\/[^']*)'/g)) declared.add(path.replace(/:\w+/g, '*'))
    }
    const named = [...text.matchAll(/\/api\/[\w/<>.-]+/g)].map(([path]) =>
      path.replace(/<[^>]*>/g, '*').replace(/\.$/, ''),
    )
    const isDeclared = (path: string) => [...declared].some((one) => one === path || one.startsWith(`${path}/`))
    expect(named.filter((path) => !isDeclared(path))).toEqual([])
    expect(named.length).toBeGreaterThan(10)
  })
})
