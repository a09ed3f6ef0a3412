import { array, assert, constantFrom, json, pre, property } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Fault } from '../faults/fault.ts'
import { parseJsonText } from './json-text.ts'

const parse = (text: string) => parseJsonText(text, { depthMax: 5 })

function valueOrRefusal(text: string): unknown {
  try {
    return parse(text)
  } catch (error) {
    return error instanceof Fault && error.kind === 'incorrect' ? error.shown : error
  }
}

const refusals =
  /^(The body is not JSON|The body is nested deeper|The body may not have a field|A field of the body is given)/

describe('JSON from a stranger', () => {
  it('is read exactly as the language reads it', () => {
    assert(
      property(json({ maxDepth: 3 }), (text) => {
        pre(!text.includes('__proto__') && !text.includes('constructor'))
        expect(parseJsonText(text, { depthMax: 50 })).toEqual(JSON.parse(text))
      }),
    )
  })

  it('never brings anything but a value or a clear refusal', () => {
    const pieces = constantFrom('{', '}', '[', ']', ',', ':', '"', '\\', 'a', '1', ' ', '__proto__', 'constructor')
    assert(
      property(array(pieces, { maxLength: 30 }), (parts) => {
        const text = parts.join('')
        expect(valueOrRefusal(text)).toSatisfy(
          (outcome) => refusals.test(String(outcome)) || JSON.stringify(outcome) === JSON.stringify(JSON.parse(text)),
        )
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
    const expected = isWithin ? JSON.parse(text) : 'The body is nested deeper than 5 levels.'
    expect(valueOrRefusal(text)).toEqual(expected)
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
