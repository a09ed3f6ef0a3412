import { readdirSync, readFileSync } from 'node:fs'
import { assert } from '../../../packages/faults/fault.ts'
import type { CodeTables } from './compare.ts'
import { parseRule, type Rule } from './rule.ts'

/** What one message of the corpus must become. */
export interface Expectation {
  readonly channel: string
  /** In the corpus. */
  readonly file: string
  readonly sha256: string
  readonly rules: readonly Rule[]
}

const folder = new URL('../expectations/', import.meta.url)
const linesOf = (name: string): string[] =>
  readFileSync(new URL(name, folder), 'utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))

/** All messages, with the rules of the tables that they use and then their own. */
export function expectations(): Expectation[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.messages'))
    .sort()
    .flatMap((name) => expectationsOf(name))
}

function expectationsOf(name: string): Expectation[] {
  const found: { channel: string; file: string; sha256: string; rules: Rule[] }[] = []
  for (const line of linesOf(name)) {
    const [word = '', ...words] = line.split(' ')
    const current = found.at(-1)
    if (word === 'message') {
      const [file = '', sha256 = ''] = words
      found.push({ channel: name.slice(0, -'.messages'.length), file, sha256, rules: [] })
      continue
    }
    assert(current !== undefined, `${name} begins with a rule and not with a message`)
    if (word === 'use') current.rules.push(...words.flatMap((table) => linesOf(`tables/${table}.rules`).map(parseRule)))
    else current.rules.push(parseRule(line))
  }
  return found
}

/** `v0001 F=female M=male`: the code tables of section 11. */
export function codeTables(): CodeTables {
  return new Map(
    linesOf('tables/codes.txt').map((line) => {
      const [name = '', ...rows] = line.split(/\s+/)
      return [name, new Map(rows.map((row) => row.split('=') as [string, string]))]
    }),
  )
}
