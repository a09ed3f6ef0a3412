import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { projectRoot } from '../../apps/corridor/run/project-root.ts'

const program = new URL('dist/program/', projectRoot())
const modules = readdirSync(program).filter((name) => name.endsWith('.js'))
const text = modules.map((name) => readFileSync(new URL(name, program), 'utf8')).join('\n')

describe('the program that is built', () => {
  it('looks for the files of each module beside what was built of that module', () => {
    const places = [...text.matchAll(/new URL\("(\.\.\/[^"]+\.js)", import\.meta\.url\)/g)].map(
      ([, place = '']) => place,
    )
    expect(places).toContain('../packages/sql/migrate/migrate.js')
    expect(places.filter((place) => !existsSync(new URL(place, program)))).toEqual([])
  })

  it('takes from npm only what runs, and nothing that is there for development', () => {
    const manifest = JSON.parse(readFileSync(new URL('package.json', projectRoot()), 'utf8')) as {
      readonly dependencies: Readonly<Record<string, string>>
    }
    const imported = [...text.matchAll(/^import .*?from "([^".][^"]*)"/gm)].map(([, name = '']) => name)
    const packages = new Set(imported.filter((name) => !name.startsWith('node:')))
    expect(packages.size).toBeGreaterThan(0)
    expect([...packages].filter((name) => manifest.dependencies[name] === undefined)).toEqual([])
  })
})
