import { describe, expect, it } from 'vitest'
import { blowUp } from './patterns/blow-up.ts'
import { boundedPatterns } from './patterns/bounded-patterns.ts'
import { builtPatterns } from './patterns/built-patterns.ts'
import { sourcePatterns, type SourcePattern } from './patterns/source-patterns.ts'

describe('how the work of a pattern grows', () => {
  it.each([
    ...[/^a*$/, /^(?:ab)*$/, /^(?:a|b)*$/, /^[a-z]+(?:_[a-z]+)*$/, /^(?:\d{1,3}\.){3}\d{1,3}$/, /^a?a?a?b$/],
    ...[/\s+/, /(.)\1+/, /^native\/(?!.*\.\.)/, /^(a|ab)(c|bcd)$/, /^\p{L}+\p{N}+$/u, /(?<=[a-z])\d/],
  ])('is seen to be that of the text: %s', (pattern) => {
    expect(blowUp(pattern)).toBe(1)
  })

  it.each([
    [/^\s*\s*$/, 2],
    [/\s+$/, 2],
    [/a+b/, 2],
    [/^(?:\w+)?\s*\w*=$/, 2],
    [/^.*foo.*bar$/, 2],
    [/^a*a*a*b$/, 3],
    [/x*x*y/, 3],
    [/^\d{1,12}\d{1,12}$/, 2],
    [/^(?=.*a.*b)c/, 2],
    [/(?<=ba*)c/, 2],
    [/^[\p{L}\s]*\p{Lu}*$/u, 2],
  ])('is seen to be a power of it: %s', (pattern, power) => {
    expect(blowUp(pattern)).toBe(power)
  })

  it.each([
    ...[
      /^(a+)+$/,
      /^(a*)*$/,
      /^(?:a*)+$/,
      /^(a|a)*$/,
      /^(a|aa)+$/,
      /^(?:a?b?)*$/,
      /(x+x+)+y/,
      /^(\w+\s?)*$/,
      /^(?:\d+|\w)*!$/,
    ],
    ...[
      /^(?:.*a){12}$/,
      /^(?:(?:a*|b*)c)*$/,
      /^([a-z]+\.?)+@x$/i,
      /^(?:x(?=(?:a+)+b))/,
      /^((a)\2?)*$/,
      /^(\s|\S|\n)*$/,
    ],
  ])('is seen to double again and again: %s', (pattern) => {
    expect(blowUp(pattern)).toBe(Infinity)
  })

  it('is not guessed where a pattern cannot be read', () => {
    expect(() => blowUp(/(?<name>a)\k<name>/)).toThrow(/cannot be read/)
    expect(() => blowUp(/[[a-z]&&[b]]/v)).toThrow(/not read here/)
  })
})

describe('the patterns of ours', () => {
  const { written, builders } = sourcePatterns()
  const growing = [...written, ...builtPatterns].filter(({ pattern }) => blowUp(pattern) > 1)
  const isBounded = ({ file, pattern }: SourcePattern) => Object.hasOwn(boundedPatterns[file] ?? {}, pattern.source)
  const named = ({ file, pattern }: SourcePattern) => `${file}: ${pattern} grows with power ${blowUp(pattern)}`

  it('are found, and those that are put together are known', () => {
    expect(written.length).toBeGreaterThan(300)
    expect(builders).toEqual([...new Set(builtPatterns.map(({ file }) => file))])
  })

  it('cost what the text is long, or read only what has a bound', () => {
    expect(growing.filter((one) => !isBounded(one)).map(named)).toEqual([])
    expect(growing.filter(({ pattern }) => blowUp(pattern) === Infinity).map(named)).toEqual([])
  })

  it('are excused only while they are there', () => {
    const excused = Object.entries(boundedPatterns).flatMap(([file, patterns]) =>
      Object.keys(patterns).map((source) => `${file}: ${source}`),
    )
    const found = new Set(growing.map(({ file, pattern }) => `${file}: ${pattern.source}`))
    expect(excused.filter((one) => !found.has(one))).toEqual([])
  })
})
