import { expect, describe, it } from 'vitest'
import { placed } from '../testing/place.ts'
import { ed } from './ed.ts'

/** The type of the data and the data itself, and how many warnings it takes. */
function attached(raw: string) {
  const { part, place, draft } = placed(raw)
  const { contentType, data = '' } = ed(part, place) ?? {}
  return [contentType, Buffer.from(data, 'base64').toString(), draft.warningCount]
}

describe('ED', () => {
  it.each([
    ['LAB^TEXT^HTML^A^<p>Fever & cough^2 days</p>', 'text/html', '<p>Fever & cough^2 days</p>'],
    ['^TEXT^PLAIN^A^5 \\T\\ 6\\.br\\7 & 8 \\S\\ 9^^', 'text/plain', '5 & 6\n7 & 8 ^ 9'],
    ['^TEXT^PLAIN^ASCII^Some', 'text/plain', 'Some'],
    ['^TEXT^PLAIN^^words & signs', 'text/plain', 'words & signs'],
    ['^TEXT^PLAIN^^Negative', 'text/plain', 'Negative'],
    ['^TEXT^^^No growth seen', 'text/plain', 'No growth seen'],
    ['^TEXT^PLAIN^^SGVsbG8=', 'text/plain', 'Hello'],
    ['^TEXT^PLAIN^8bit^words & signs', 'text/plain', 'words & signs'],
    ['^^text/html; charset=windows-1252^A^<p>é</p>', 'text/html; charset=utf-8', '<p>é</p>'],
    ['words & signs', 'application/octet-stream', 'words & signs'],
    ['LAB^AP^PDF^Base64^JVBERi0xLjQK', 'application/pdf', '%PDF-1.4\n'],
    ['LAB^AP^PDF^Base64^SGVsbG8=', 'application/pdf', 'Hello'],
    ['LAB^AP^PDF^base64^SGVsbG8', 'application/pdf', 'Hello'],
    ['LAB^AP^PDF^BASE64^SGVsbG8h\\.br\\IQ', 'application/pdf', 'Hello!!'],
    ['LAB^AP^PDF^^SGVsbG8=', 'application/pdf', 'Hello'],
    ['^^Text/RTF;charset=UTF8^Base64^SGVsbG8=', 'text/rtf; charset=UTF8', 'Hello'],
    ['^^text/rtf ; charset=UTF8 ; odd^Base64^SGVsbG8=', 'text/rtf; charset=UTF8', 'Hello'],
    ['^^PDF^Hex^48656C6C6F', 'application/pdf', 'Hello'],
  ])('%s is all of its data', (raw, type, text) => {
    expect(attached(raw)).toEqual([type, text, 0])
  })

  it.each(['^AP^PDF^Base64^SGVsb', '^AP^PDF^Base64^%%%', '^AP^PDF^Hex^48656'])(
    '%s is not in the encoding that it names',
    (raw) => {
      expect(attached(raw)).toEqual([undefined, '', 1])
    },
  )

  it.each(['', '""', '^AP^PDF^Base64', '^AP^PDF^Base64^'])('%s has no data', (raw) => {
    expect(attached(raw)).toEqual([undefined, '', 0])
  })
})
