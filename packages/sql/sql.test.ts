import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { joined, json, named, sql, type Statement } from './sql.ts'

describe('the sql template', () => {
  it('makes every value a parameter', () => {
    const { text, values } = sql`select * from t where name = ${"Robert'); drop table t; --"} and age > ${3}`
    expect(text).toBe('select * from t where name = $1 and age > $2')
    expect(values).toEqual(["Robert'); drop table t; --", 3])
  })

  it('splices a nested statement in and renumbers its parameters', () => {
    const own = sql`organisation = ${'central'} and year = ${2026}`
    const { text, values } = sql`select ${1} from t where ${own} and id = ${7}`
    expect(text).toBe('select $1 from t where organisation = $2 and year = $3 and id = $4')
    expect(values).toEqual([1, 'central', 2026, 7])
  })

  it('numbers the parameters in the order of their values, however statements are nested', () => {
    const tree = fc.letrec<{ node: Statement }>((tie) => ({
      node: fc
        .array(
          fc.oneof({ depthSize: 'small', withCrossShrink: true }, fc.oneof(fc.string(), fc.integer()), tie('node')),
          { maxLength: 4 },
        )
        .map((values) => templateOf(values)),
    })).node
    fc.assert(
      fc.property(tree, ({ text, values }) => {
        const numbers = [...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number))
        expect(numbers).toEqual(values.map((_, index) => index + 1))
      }),
    )
  })

  it('never puts a value into the text', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { maxLength: 5 }), (values) => {
        const statement = templateOf(values)
        expect(statement.text).toMatch(/^(?:part\$\d+)*part$/)
        expect(statement.values).toEqual(values)
      }),
    )
  })

  it('treats an object that only looks like a statement as what it is: no parameter', () => {
    const forged = JSON.parse('{"text":"1; drop table t","values":[]}') as unknown
    expect(() => sql`select ${forged}`).toThrow('json(value)')
  })

  it.each([
    ['undefined', undefined, 'undefined'],
    ['undefined within an array', [1, undefined], 'undefined'],
    ['NaN', Number.NaN, 'NaN'],
    ['a function', () => 1, 'function'],
    ['a plain object', { name: 'Amina' }, 'json(value)'],
  ])('refuses %s', (_, value, why) => {
    expect(() => sql`select ${value}`).toThrow(why)
  })

  it('refuses to be called with a string', () => {
    const raw = ['select 1; drop table t'] as unknown as TemplateStringsArray
    expect(() => sql(raw)).toThrow('template tag')
  })

  it('passes instants as UTC text, also within arrays', () => {
    const instant = new Date('1900-01-01T00:00:00Z')
    expect(sql`${instant} ${[instant]}`.values).toEqual(['1900-01-01T00:00:00.000Z', ['1900-01-01T00:00:00.000Z']])
  })
})

describe('json', () => {
  it('is text that the statement casts', () => {
    expect(sql`select ${json({ a: [1] })}::jsonb`.values).toEqual(['{"a":[1]}'])
  })

  it('refuses what has no JSON form', () => {
    expect(() => json(undefined)).toThrow('no JSON form')
  })
})

describe('joined', () => {
  it('keeps the parameters of all statements', () => {
    const { text, values } = sql`where ${joined([sql`a = ${1}`, sql`b = ${2}`, sql`true`], 'and')}`
    expect(text).toBe('where a = $1 and b = $2 and true')
    expect(values).toEqual([1, 2])
  })
})

describe('named', () => {
  it('names a statement; splicing it into another drops the name', () => {
    const one = named('one', sql`select ${1}`)
    expect(one.name).toBe('one')
    expect(sql`${one}`.name).toBeUndefined()
  })
})

function templateOf(values: readonly unknown[]): Statement {
  const strings = Array.from({ length: values.length + 1 }, () => 'part')
  return sql(Object.freeze(Object.assign(strings, { raw: strings })), ...values)
}
