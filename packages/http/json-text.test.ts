import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseJsonText } from './json-text.ts'

const parse = (text: string) => parseJsonText(text, { depthMax: 5 })

describe('JSON from a stranger', () => {
  it('is read exactly as the language reads it', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 3, noUnicodeString: false }), (text) => {
        fc.pre(!text.includes('__proto__') && !text.includes('constructor'))
        expect(parseJsonText(text, { depthMax: 50 })).toEqual(JSON.parse(text))
      }),
    )
  })

  it('never brings anything but a value or a clear refusal', () => {
    const pieces = fc.constantFrom('{', '}', '[', ']', ',', ':', '"', '\\', 'a', '1', ' ', '__proto__', 'constructor')
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 30 }), (parts) => {
        const text = parts.join('')
        try {
          expect(parse(text)).toEqual(JSON.parse(text))
        } catch (error) {
          expect(error).toMatchObject({ name: 'Fault', kind: 'incorrect' })
        }
      }),
    )
  })

  it.each([
    ['[[[[[]]]]]', true],
    ['[[[[[[]]]]]]', false],
    ['{"a":{"a":{"a":{"a":{"a":1}}}}}', true],
    ['{"a":{"a":{"a":{"a":{"a":{}}}}}}', false],
    ['"[[[[[[[["', true],
  ])('%s is within five levels: %s', (text, isWithin) => {
    if (isWithin) expect(parse(text)).toEqual(JSON.parse(text))
    else expect(() => parse(text)).toThrow('nested deeper than 5 levels')
  })

  it.each([
    '{"a":1,"a":2}',
    '{"a":1,"b":{"c":1,"c":2}}',
    '[{"a":1,"a":1}]',
    '{"a":[1,{"x":1}],"a":2}',
    '{"a":1,"\\u0061":2}',
    '{"a\\"":1,"a\\"":2}',
  ])('%s gives a key twice', (text) => {
    expect(() => parse(text)).toThrow('given more than once')
  })

  it.each([
    '[{"a":1},{"a":2}]',
    '{"a":{"a":1}}',
    '{"a":"a","b":"a"}',
    '{"a":["a","a"]}',
    '{"constructor":"x"}',
    '{"a\\\\":"x","a":1}',
  ])('%s does not', (text) => {
    expect(parse(text)).toEqual(JSON.parse(text))
  })
})
