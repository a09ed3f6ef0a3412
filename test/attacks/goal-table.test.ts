import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const root = new URL('../../', import.meta.url)
const table = readFileSync(new URL('docs/goal-table.md', root), 'utf8')

const rows = (letter: string, count: number) => Array.from({ length: count }, (_, index) => `${letter}${index + 1}`)

describe('the table of goals', () => {
  it('has every row once, in order', () => {
    const [goals = ''] = table.split('## The long run and the night')
    const found = [...goals.matchAll(/^\| ([DLS]\d+) /gm)].map(([, name]) => name)
    expect(found).toEqual([...rows('D', 17), ...rows('L', 13), ...rows('S', 25)])
  })

  it('names tests that exist', () => {
    const named = [...table.matchAll(/`((?:test|packages|services|apps|bench|scripts)\/[^`]+\.[a-z]+)`/g)].map(
      ([, path = '']) => path,
    )
    expect(named.length).toBeGreaterThan(60)
    expect(named.filter((path) => !existsSync(new URL(path, root)))).toEqual([])
  })
})
