import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { knownMutants } from './known.ts'
import { mutated } from './mutant.ts'
import { mutantsOf } from './mutate.ts'
import { subjects } from './subjects.ts'

describe('the mutants of', () => {
  it.each([
    ['a comparison', 'a < b', ['a <= b', 'a >= b']],
    ['an equality', 'a === b', ['a !== b']],
    ['a sum', 'a + b', ['a - b']],
    ['a conjunction', 'a && b', ['a', 'b', '(a || b)']],
    ['a fallback', 'a ?? b', ['a', 'b']],
    ['a negation', '!a', ['a']],
    ['a choice', 'a ? b : c', ['true ? b : c', 'false ? b : c']],
    ['a truth', 'true', ['false']],
    ['a number', '7', ['8', '(6)']],
    ['a code', "'active'", ["''"]],
    ['an empty text', "''", ["'x'"]],
    ['a sentence', "'is active'", []],
    ['a code that is put together', '`${a}/b`', ['``']],
    ['a sentence that is put together', '`${a} is b`', []],
    ['a chain', 'a?.b', ['a.b']],
    ['a chain to an element', 'a?.[b]', ['a[b]']],
    ['some of a list', 'a.some(b)', ['a.every(b)']],
    ['a part of a list', 'a.filter(b)', ['a']],
    ['a question to a set', 'a.has(b)', ['!a.has(b)']],
    ['a list in a list', '[...a]', ['[...[]]']],
    ['an object in an object', '({ ...a })', ['({ ...{} })']],
    ['a pattern', '/^a{1,2}$/i', ['/a{1,2}$/i', '/^a{1,2}/i', '/^a{1,3}$/i', '/^a{2,2}$/i', '/^a{1,2}$/']],
    ['a type', 'a as "b" | 7', []],
  ])('%s', (_what, source, expected) => {
    const all = mutantsOf('a.ts', `const x = ${source}`).map(({ after }) => after.replace('const x = ', ''))
    expect(all.toSorted()).toEqual(expected.toSorted())
  })

  it.each([
    ['a statement', 'forget(a)', ['{}']],
    ['an assertion, which says what cannot happen', 'assert(a)', []],
    ['a refusal behind a condition', 'if (a) throw b', ['if (true) throw b', 'if (false) throw b']],
    ['a refusal in any case', 'throw a', ['{}']],
    ['an import', "import { a } from 'b'", []],
    ['a type', "interface A { readonly b: 'c' | 7 }", []],
    ['an assignment', 'a ??= b', ['{}', 'a = b']],
  ])('%s', (_what, source, expected) => {
    expect(
      mutantsOf('a.ts', source)
        .map(({ after }) => after)
        .toSorted(),
    ).toEqual(expected.toSorted())
  })

  it('a text know their line and change nothing else', () => {
    const source = 'const a = 1\n\nconst b = c?.d\n'
    const [, , chain] = mutantsOf('a.ts', source)
    expect(chain).toMatchObject({ file: 'a.ts', line: 3, before: 'const b = c?.d', after: 'const b = c.d' })
    expect(chain && mutated(source, chain)).toBe('const a = 1\n\nconst b = c.d\n')
  })
})

describe('the mutants that are known as equivalent', () => {
  const files = [...new Set(knownMutants.map(({ file }) => file))]

  it.each(files)('are there in %s, so that none is excused for code that has changed', (file) => {
    const source = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')
    const there = new Set(mutantsOf(file, source).map(({ after }) => after))
    expect(knownMutants.filter((known) => known.file === file && !there.has(known.after))).toEqual([])
  })

  it('belong to subjects', () => {
    const subjectFiles = new Set(subjects.flatMap((subject) => subject.files))
    expect(files.filter((file) => !subjectFiles.has(file))).toEqual([])
  })
})

describe('the subjects', () => {
  it('name files and tests that are there', () => {
    const named = subjects.flatMap(({ files, tests }) => [...files, ...tests])
    expect(named.filter((path) => !existsSync(new URL(`../../${path}`, import.meta.url)))).toEqual([])
  })
})
