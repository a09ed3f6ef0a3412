import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseUniqueJson } from './unique-json.ts'

const read = (text: string) => parseUniqueJson(Buffer.from(text))

describe('a JSON object', () => {
  it('is read as JSON.parse reads it, when every name stands once', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue()), (value) => {
        expect(read(JSON.stringify(value))).toEqual({ is: 'object', value: JSON.parse(JSON.stringify(value)) })
        expect(read(JSON.stringify(value, null, 1)).is).toBe('object')
      }),
    )
  })

  it('is a duplicate when any name in it stands twice, wherever', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }), (value) => {
        const text = JSON.stringify(value)
        const name = JSON.stringify(Object.keys(value)[0])
        const twice = text.replace(/\}$/, () => `,${name}:0}`)
        expect(read(twice).is).toBe('duplicate')
        expect(read(`{"a":[1,{"b":${twice}}]}`).is).toBe('duplicate')
      }),
    )
  })

  it.each([
    ['{"a":{"b":1},"b":{"a":2},"c":[{"b":1},{"b":2}]}', 'object'],
    ['{"a":"\\"b\\":1","b":"a","c":"{\\"a\\":1,\\"a\\":2}"}', 'object'],
    ['{"a":["x",":"],"b":"\\":","c":"\\\\"}', 'object'],
    ['{"a":1, "\\u0061" : 2}', 'duplicate'],
    ['{"__proto__":1,"__proto__":2}', 'duplicate'],
    ['{"":1,"":2}', 'duplicate'],
    ['[{"a":1}]', 'unreadable'],
    ['null', 'unreadable'],
    ['"a"', 'unreadable'],
    ['{"a":1}x', 'unreadable'],
    ['\ufeff{"a":1}', 'unreadable'],
    ['', 'unreadable'],
  ])('%s is %s', (text, expected) => {
    expect(read(text).is).toBe(expected)
  })

  it('is unreadable when it is not UTF-8', () => {
    expect(parseUniqueJson(Buffer.from('{"a":"\xff"}', 'latin1')).is).toBe('unreadable')
  })

  it('may be deep and is still read', () => {
    const depth = 20_000
    expect(read(`{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`).is).toBe('object')
  })
})
