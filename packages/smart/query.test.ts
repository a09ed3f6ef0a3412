import { describe, expect, it } from 'vitest'
import { canonicalQuery, isQuery, sameQuery } from './query.ts'

describe('a granular query', () => {
  it.each([
    ['one condition', 'category=laboratory'],
    ['several', 'category=a|b&status=final'],
    ['a modifier', 'code:in=x'],
    ['a chain', 'subject:Patient.name=x'],
    ['an equals sign in its value', 'code=a=b'],
    ['1,000 characters', `code=${'a'.repeat(995)}`],
    ['16 conditions', Array(16).fill('a=b').join('&')],
    ['the longest name', `${'a'.repeat(64)}=b`],
    ['the longest modifier', `a:${'b'.repeat(64)}=c`],
    ['four steps behind its name', 'a:b.c:d.e=f'],
    ['a name with an underscore before and a hyphen in it', '_last-updated=2026'],
    ['a value that is a percent sign', 'a=%25'],
  ])('is one with %s', (_what, query) => {
    expect(isQuery(query)).toBe(true)
  })

  it.each([
    ['1,001 characters', `code=${'a'.repeat(996)}`],
    ['17 conditions', Array(17).fill('a=b').join('&')],
    ['too long a name', `${'a'.repeat(65)}=b`],
    ['too long a modifier', `a:${'b'.repeat(65)}=c`],
    ['five steps behind its name', 'a:b.c:d.e:f=g'],
    ['a digit before its name', '1a=b'],
    ['a digit before its modifier', 'a:1b=c'],
    ['a sign before its name', '!a=b'],
    ['a sign behind its name', 'a!=b'],
    ['no name', '=b'],
    ['no value', 'a='],
    ['no equals sign', 'a'],
    ['an empty condition', 'a=b&'],
    ['one bad condition among good ones', 'a=b&c&d=e'],
    ['a value that cannot be decoded', 'a=%E0%A4%A'],
    ['nothing', ''],
  ])('is none with %s', (_what, query) => {
    expect(isQuery(query)).toBe(false)
  })

  it.each([
    '_contained',
    '_containedType',
    '_count',
    '_elements',
    '_format',
    '_include',
    '_maxresults',
    '_offset',
    '_pretty',
    '_revinclude',
    '_score',
    '_sort',
    '_summary',
    '_total',
  ])('is none with %s, which confines nothing', (name) => {
    expect(isQuery(`${name}=x`)).toBe(false)
    expect(isQuery(`category=a&${name}:iterate=x`)).toBe(false)
  })
})

describe('two queries', () => {
  it.each([
    ['a=1&b=2', 'b=2&a=1', true],
    ['a=1&a=1', 'a=1', true],
    ['a=x%7Cy', 'a=x|y', true],
    ['a=x%2fy', 'a=x/y', true],
    ['a=1', 'a=2', false],
    ['a=1', 'b=1', false],
    ['a=1&b=2', 'a=1', false],
    ['a=1%26b=2', 'a=1&b=2', false],
    ['a:in=1', 'a=1', false],
  ])('%s and %s are the same: %s', (some, other, expected) => {
    expect(sameQuery(some, other)).toBe(expected)
  })

  it('have one spelling for what they mean', () => {
    expect(canonicalQuery('b=x|y&a=1&b=x%7Cy')).toBe('a=1&b=x%7Cy')
  })
})
