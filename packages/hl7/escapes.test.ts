import { describe, expect, it } from 'vitest'
import { charset, utf8 } from './charset.ts'
import { standardDelimiters } from './delimiters.ts'
import { escapeControls, escapeText, unescapeText } from './escapes.ts'

const syntax = { delimiters: standardDelimiters, charset: utf8 }

describe('reading escapes', () => {
  it.each([
    ['a\\F\\b', 'a|b'],
    ['a\\S\\b', 'a^b'],
    ['a\\T\\b', 'a&b'],
    ['a\\R\\b', 'a~b'],
    ['a\\E\\b', 'a\\b'],
    ['a\\P\\b', 'a#b'],
    ['\\E\\F\\E\\', '\\F\\'],
    ['a\\.br\\b', 'a\nb'],
    ['a\\.sp2\\b', 'a\n\nb'],
    ['a\\.sp\\b', 'a\nb'],
    ['a\\.ce\\b', 'a\nb'],
    ['a\\.sk3\\b', 'a   b'],
    ['a\\.ti2\\b', 'a  b'],
    ['a\\.in+4\\b\\.fi\\c\\.nf\\', 'abc'],
    ['\\H\\bold\\N\\', 'bold'],
    ['\\X41\\', 'A'],
    ['\\XC3A9\\', 'é'],
    ['\\XEFBFBD\\', '\ufffd'],
    ['\\XC3\\\\XA9\\', 'é'],
    ['\\X0D0A\\', '\r\n'],
    ['\\C2842\\x\\M244240\\y\\Z01\\', '\\C2842\\x\\M244240\\y\\Z01\\'],
    ['C:\\data\\new', 'C:\\data\\new'],
    ['\\foo\\F\\', '\\foo|'],
    ['\\X4\\', '\\X4\\'],
    ['\\XZZ\\', '\\XZZ\\'],
    ['a\\', 'a\\'],
    ['\\', '\\'],
    ['\\\\', '\\\\'],
    ['no escape', 'no escape'],
  ])('%j means %j', (raw, text) => {
    expect(unescapeText(raw, syntax)).toBe(text)
  })

  it('reads hexadecimal bytes in the character set of the message', () => {
    expect(unescapeText('\\XE9\\', { delimiters: standardDelimiters, charset: charset('windows-1252') })).toBe('é')
  })

  it('reads bytes that mean nothing in that set as Windows-1252, so that none is lost', () => {
    expect(unescapeText('M\\XFC\\ller', syntax)).toBe('Müller')
  })

  it.each(['utf-16le', 'utf-16be', 'utf-32le'])('reads back what it wrote itself in %s', (label) => {
    for (const text of ['a\rb\u001cc', '""'])
      expect(unescapeText(escapeText(text, standardDelimiters), { ...syntax, charset: charset(label) })).toBe(text)
  })

  it('means the standard sign where the message has none for that role', () => {
    const delimiters = { ...standardDelimiters, subcomponent: '', repetition: '' }
    expect(unescapeText('Smith \\T\\ Sons \\R\\', { ...syntax, delimiters })).toBe('Smith & Sons ~')
  })

  it('lets no formatting command write more than a page', () => {
    expect(unescapeText('\\.sp9999\\\\.sk9999\\', syntax).length).toBeLessThan(500)
  })
})

describe('writing escapes', () => {
  it.each([
    ['a|b^c&d~e\\f', 'a\\F\\b\\S\\c\\T\\d\\R\\e\\E\\f'],
    ['a\rPID|1', 'a\\X0D\\PID\\F\\1'],
    ['a\nb', 'a\\.br\\b'],
    ['\u000b\u001c', '\\X0B\\\\X1C\\'],
    ['""', '\\X2222\\'],
    ['a "" b', 'a "" b'],
    ['\ttab', '\ttab'],
    ['Ünïcode', 'Ünïcode'],
  ])('%j is sent as %j and read back', (text, raw) => {
    expect(escapeText(text, standardDelimiters)).toBe(raw)
    expect(unescapeText(raw, syntax)).toBe(text)
  })

  it('escapes the truncation character only where it would say that a value was cut', () => {
    const delimiters = { ...standardDelimiters, truncation: '#' }
    expect(escapeText('#1 and 2#', delimiters)).toBe('#1 and 2\\P\\')
  })

  it('writes a space for structure where the message has no escape character', () => {
    const delimiters = { ...standardDelimiters, escape: '' }
    expect(escapeText('a|b\rc\\d', delimiters)).toBe('a b c\\d')
    expect(escapeText('""', delimiters)).toBe(' ')
  })

  it('lets raw text keep its structure but no control sign', () => {
    expect(escapeControls('a^b&c\rPID\n\u001c', standardDelimiters)).toBe('a^b&c\\X0D\\PID\\.br\\\\X1C\\')
  })
})
