import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** Every Markdown file that people are meant to read. */
const pages = ['.', 'docs', 'docs/decisions', 'bench', 'packages', 'services', 'ports']
  .flatMap((folder) => {
    const isDeep = ['packages', 'services', 'ports'].includes(folder)
    return readdirSync(join(root, folder), { recursive: isDeep, encoding: 'utf8' }).map((name) => join(folder, name))
  })
  .filter((path) => path.endsWith('.md'))

describe('the documentation', () => {
  it('links to nothing that is not there', () => {
    const broken = pages.flatMap((page) =>
      [...read(page).matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)[^)]*\)/g)]
        .map(([, target = '']) => target)
        .filter((target) => !existsSync(join(root, dirname(page), target)))
        .map((target) => `${page} -> ${target}`),
    )
    expect(broken).toEqual([])
    expect(pages.length).toBeGreaterThan(10)
  })

  it('lists every decision by its number and title; after a new one: npm run docs', () => {
    const index = read('docs/decisions/README.md')
    const missing = readdirSync(join(root, 'docs/decisions')).filter((name) => {
      const [title = ''] = read(`docs/decisions/${name}`).split('\n')
      const isNumbered = title.startsWith(`# ${name.slice(0, 4)} `)
      return name !== 'README.md' && !(isNumbered && index.includes(`- [${title.slice(2)}](${name})\n`))
    })
    expect(missing).toEqual([])
  })

  it.each(['packages', 'ports', 'services'])('has a row for every folder of %s', (folder) => {
    const rooms = readdirSync(join(root, folder), { withFileTypes: true }).filter((one) => one.isDirectory())
    const rows = read('ARCHITECTURE.md')
    expect(rooms.map(({ name }) => name).filter((name) => !rows.includes(`\n| \`${name}\` `))).toEqual([])
  })

  it('has a row for every benchmark', () => {
    const table = read('bench/README.md')
    const names = readdirSync(join(root, 'bench')).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    expect(names.map((name) => name.replace('.ts', '')).filter((name) => !table.includes(`\`${name}\``))).toEqual([])
  })
})
