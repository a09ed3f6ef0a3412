import { describe, expect, it } from 'vitest'
import { Fault } from '../../../../packages/faults/fault.ts'
import { parseJson } from '../../../../packages/fhir/parse-json.ts'
import { applyPatch, copiedValuesMax } from './apply-patch.ts'
import { parsePatch } from './operations.ts'
import type { Json } from './places.ts'

const patch = (document: Json, operations: unknown) => applyPatch(document, parsePatch(operations))

function faultOf(work: () => unknown): Fault {
  try {
    work()
  } catch (thrown) {
    if (thrown instanceof Fault) return thrown
    throw thrown
  }
  throw new Error('nothing was thrown')
}

describe('JSON Patch', () => {
  // The examples of RFC 6902, appendix A.
  it.each<[string, Json, unknown, Json]>([
    ['adds a member', { foo: 'bar' }, [{ op: 'add', path: '/baz', value: 'qux' }], { baz: 'qux', foo: 'bar' }],
    [
      'adds an element',
      { foo: ['bar', 'baz'] },
      [{ op: 'add', path: '/foo/1', value: 'qux' }],
      { foo: ['bar', 'qux', 'baz'] },
    ],
    ['removes a member', { baz: 'qux', foo: 'bar' }, [{ op: 'remove', path: '/baz' }], { foo: 'bar' }],
    ['removes an element', { foo: ['bar', 'qux', 'baz'] }, [{ op: 'remove', path: '/foo/1' }], { foo: ['bar', 'baz'] }],
    [
      'replaces',
      { baz: 'qux', foo: 'bar' },
      [{ op: 'replace', path: '/baz', value: 'boo' }],
      { baz: 'boo', foo: 'bar' },
    ],
    [
      'moves a member',
      { foo: { bar: 'baz', waldo: 'fred' }, qux: { corge: 'grault' } },
      [{ op: 'move', from: '/foo/waldo', path: '/qux/thud' }],
      { foo: { bar: 'baz' }, qux: { corge: 'grault', thud: 'fred' } },
    ],
    [
      'moves an element',
      { foo: ['all', 'grass', 'cows', 'eat'] },
      [{ op: 'move', from: '/foo/1', path: '/foo/3' }],
      { foo: ['all', 'cows', 'eat', 'grass'] },
    ],
    [
      'tests',
      { baz: 'qux', foo: ['a', 2, 'c'] },
      [
        { op: 'test', path: '/baz', value: 'qux' },
        { op: 'test', path: '/foo/1', value: 2 },
      ],
      { baz: 'qux', foo: ['a', 2, 'c'] },
    ],
    [
      'adds a nested object',
      { foo: 'bar' },
      [{ op: 'add', path: '/child', value: { grandchild: {} } }],
      { foo: 'bar', child: { grandchild: {} } },
    ],
    [
      'ignores members that it does not know',
      { foo: 'bar' },
      [{ op: 'add', path: '/baz', value: 'qux', xyz: 123 }],
      { foo: 'bar', baz: 'qux' },
    ],
    [
      'reads escapes in pointers',
      { '/': 9, '~1': 10 },
      [{ op: 'test', path: '/~01', value: 10 }],
      { '/': 9, '~1': 10 },
    ],
    [
      'adds at the end of a list',
      { foo: ['bar'] },
      [{ op: 'add', path: '/foo/-', value: ['abc', 'def'] }],
      { foo: ['bar', ['abc', 'def']] },
    ],
    ['replaces the whole', { a: 1 }, [{ op: 'replace', path: '', value: { b: 2 } }], { b: 2 }],
    [
      'copies',
      { a: { b: 1 } },
      [
        { op: 'copy', from: '/a', path: '/c' },
        { op: 'replace', path: '/c/b', value: 2 },
      ],
      { a: { b: 1 }, c: { b: 2 } },
    ],
    ['moves a place onto itself', { a: 1 }, [{ op: 'move', from: '/a', path: '/a' }], { a: 1 }],
  ])('%s', (_what, document, operations, expected) => {
    expect(patch(document, operations)).toEqual(expected)
  })

  it('leaves the document that it was given as it was', () => {
    const document = { a: [1], b: { c: 1 } }
    expect(() =>
      patch(document, [
        { op: 'add', path: '/a/-', value: 2 },
        { op: 'remove', path: '/nowhere' },
      ]),
    ).toThrow(Fault)
    expect(document).toEqual({ a: [1], b: { c: 1 } })
  })

  it('copies as much as a resource can need, and not without end', () => {
    const list = Array.from({ length: copiedValuesMax - 1 }, () => 1)
    expect(patch({ list }, [{ op: 'copy', from: '/list', path: '/copy' }])).toEqual({ list, copy: list })
    const once = { op: 'copy', from: '/list', path: '/copy' }
    const again = { op: 'copy', from: '/list/0', path: '/list/-' }
    expect(faultOf(() => patch({ list }, [once, again])).fields).toEqual([
      {
        path: '[1]',
        message: 'operation 1 copies to deeper than 100 levels, or, with those before it, more than 100000 values',
      },
    ])
  })

  it('stops copies of copies before they fill the memory, in number and in depth', () => {
    const doubling = Array.from({ length: 40 }, () => ({ op: 'copy', from: '/a', path: '/a/-' }))
    expect(faultOf(() => patch({ a: [] }, doubling)).kind).toBe('unprocessable')
    const deepening = Array.from({ length: 100 }, (_none, depth) => ({
      op: 'copy',
      from: '',
      path: '/a'.repeat(depth + 1),
    }))
    expect(faultOf(() => patch({ b: 1 }, deepening)).kind).toBe('unprocessable')
  })

  it('compares decimals by their value and keeps those that it does not touch', () => {
    const document = parseJson('{"value":1.00,"other":1}') as object
    expect(JSON.stringify(patch(document, [{ op: 'test', path: '/value', value: 1 }]))).toBe('{"value":1.00,"other":1}')
  })

  it.each([
    ['1.00', '1', true],
    ['10e-1', '1.0', true],
    ['0.00', '-0', true],
    ['1e21', '1000000000000000000000', true],
    ['0.0010', '1E-3', true],
    ['1.00000000000000000001', '1', false],
    ['12345678901234567890', '12345678901234567891', false],
    ['1e400', '1e500', false],
    ['1e-400', '0', false],
    ['-1.0', '1', false],
  ])('a test takes %s for %s: %j', (stored, tested, isEqual) => {
    const document = parseJson(`{"value":${stored}}`) as Json
    const operations = parseJson(`[{"op":"test","path":"/value","value":${tested}}]`)
    const outcome = () => {
      patch(document, operations)
      return 'applied'
    }
    expect(isEqual ? outcome() : faultOf(outcome).kind).toBe(isEqual ? 'applied' : 'unprocessable')
  })

  it.each<[string, unknown]>([
    ['no list', { op: 'add' }],
    ['no object', ['add']],
    ['an unknown op', [{ op: 'spam', path: '/a' }]],
    ['no path', [{ op: 'add', value: 1 }]],
    ['a path without a slash', [{ op: 'add', path: 'a', value: 1 }]],
    ['a bad escape', [{ op: 'add', path: '/a~2', value: 1 }]],
    ['no value', [{ op: 'add', path: '/a' }]],
    ['no from', [{ op: 'move', path: '/a' }]],
    ['a path into the prototype', [{ op: 'add', path: '/__proto__/x', value: 1 }]],
    ['a path into a constructor', [{ op: 'add', path: '/constructor/prototype/x', value: 1 }]],
    ['a path of too many steps', [{ op: 'remove', path: '/a'.repeat(101) }]],
    ['too many operations', Array.from({ length: 1_001 }, () => ({ op: 'remove', path: '/a' }))],
  ])('a patch with %s is none', (_what, operations) => {
    expect(faultOf(() => patch({ a: 1 }, operations)).kind).toBe('incorrect')
  })

  it.each<[string, unknown]>([
    ['adding into nothing', { op: 'add', path: '/x/y', value: 1 }],
    ['adding behind the end', { op: 'add', path: '/list/3', value: 1 }],
    ['adding under a leading zero', { op: 'add', path: '/list/01', value: 1 }],
    ['removing what is not there', { op: 'remove', path: '/x' }],
    ['removing behind the end', { op: 'remove', path: '/list/-' }],
    ['removing everything', { op: 'remove', path: '' }],
    ['replacing what is not there', { op: 'replace', path: '/x', value: 1 }],
    ['moving from nowhere', { op: 'move', from: '/x', path: '/y' }],
    ['moving into itself', { op: 'move', from: '/list', path: '/list/0' }],
    ['copying from nowhere', { op: 'copy', from: '/x', path: '/y' }],
    ['a test of another value', { op: 'test', path: '/a', value: 2 }],
    ['a test of another type', { op: 'test', path: '/a', value: '1' }],
    ['a test of a longer list', { op: 'test', path: '/list', value: [1, 2, 3] }],
    ['a test of what is not there', { op: 'test', path: '/x', value: null }],
    ['an inherited name', { op: 'test', path: '/toString', value: 1 }],
  ])('%s cannot be applied, and the answer says which operation', (_what, operation) => {
    const fault = faultOf(() => patch({ a: 1, list: [1, 2] }, [{ op: 'test', path: '/a', value: 1 }, operation]))
    expect(fault.kind).toBe('unprocessable')
    expect(fault.fields[0]?.path).toBe('[1]')
  })

  it.each([
    { op: 'add', path: '/value/text', value: '2.00' },
    { op: 'add', path: '/value/x', value: 1 },
    { op: 'replace', path: '/value/text', value: null },
    { op: 'remove', path: '/value/text' },
    { op: 'test', path: '/value/text', value: '1.00' },
    { op: 'copy', from: '/value/text', path: '/other' },
    { op: 'move', from: '/value/text', path: '/other' },
  ])('finds no place inside a decimal that is kept as written: %j', (operation) => {
    const document = parseJson('{"value":1.00}') as Json
    expect(faultOf(() => patch(document, [operation])).kind).toBe('unprocessable')
  })
})
