import { describe, expect, it } from 'vitest'
import { systemClock } from '../clock/clock.ts'
import { systemIds } from '../clock/ids.ts'
import { acknowledge } from './acknowledge.ts'
import { charsetNamed } from './charset.ts'
import { parseMessage, tryParseMessage } from './parse.ts'

const header = (name: string) => `MSH|^~\\&|APP|FAC|X|Y|20260304||ADT^A01|1|P|2.5.1||||||${name}\rPID|1||||`
const bytesIn = (name: string, text: string) => charsetNamed(name)?.encode(text) ?? new Uint8Array()

describe('a declared character set', () => {
  it.each([
    ['8859/1', 'Müller', 'windows-1252'],
    ['8859/2', 'Dvořák', 'iso-8859-2'],
    ['8859/5', 'Иванов', 'iso-8859-5'],
    ['8859/7', 'Παπάς', 'iso-8859-7'],
    ['8859/9', 'Şahin', 'windows-1254'],
    ['8859/15', 'Œuvre €', 'iso-8859-15'],
    ['UNICODE UTF-8', 'Žluťoučký 漢字 😀', 'utf-8'],
    ['UTF-8', 'naïve', 'utf-8'],
    ['GB 18030-2000', '王小明 ê 😀', 'gb18030'],
    ['KS X 1001', '홍길동', 'euc-kr'],
    ['BIG-5', '許功蓋', 'big5'],
    ['ISO IR87', '山田太郎', 'iso-2022-jp'],
    ['~ISO IR87', '山田^太郎', 'iso-2022-jp'],
    ['windows-1251', 'Иванов', 'windows-1251'],
  ])('%s reads %s', (name, text, label) => {
    const sent = `${header(name)}${text}|after`
    const bytes = charsetNamed(label)?.encode(sent) ?? Buffer.alloc(0)
    const message = parseMessage(bytes)
    expect(message.part('PID-5')?.whole).toBe(text)
    expect(message.get('PID-6')).toBe('after')
    expect(message.charset.name).toBe(label)
    expect(message.issues).toEqual([])
    expect(message.bytes).toEqual(bytes)
  })

  it.each(['utf-16le', 'utf-16be', 'utf-32le', 'utf-32be'])(
    '%s is known by its bytes, with or without a mark',
    (label) => {
      const wide = charsetNamed(label === 'utf-32le' || label === 'utf-32be' ? 'UNICODE UTF-32' : label)
      const text = `${header('UNICODE UTF-16')}Müller 😀`
      const plain = wide?.encode(text) ?? new Uint8Array()
      const bytes = label === 'utf-32be' ? Buffer.from(plain).swap32() : plain
      expect(parseMessage(bytes).get('PID-5')).toBe('Müller 😀')
      const mark = label.endsWith('le') ? [0xff, 0xfe] : [0xfe, 0xff]
      const wideMark = label.startsWith('utf-32') ? (label.endsWith('le') ? [...mark, 0, 0] : [0, 0, ...mark]) : mark
      expect(parseMessage(Buffer.concat([Buffer.from(wideMark), bytes])).charset.name).toBe(label)
    },
  )

  it('is used for the answer', () => {
    const bytes = Buffer.from('MSH|^~\\&|K\xfcche|FAC|X|Y|20260304||ADT^A01|1|P|2.5.1||||||8859/1\r', 'latin1')
    const answer = acknowledge(
      parseMessage(bytes),
      { code: 'AA', text: '漢 fällt' },
      { clock: systemClock, ids: systemIds },
    )
    expect(Buffer.from(answer.bytes).toString('latin1')).toContain('|K\xfcche|')
    expect(answer.get('MSH-5')).toBe('Küche')
    expect(answer.get('MSH-18')).toBe('8859/1')
    expect(answer.get('MSA-3')).toBe('? fällt')
  })
})

describe('a character set that is missing or wrong', () => {
  it.each([
    ['nothing said, UTF-8 sent', '', 'é', 'utf8', 'utf-8', []],
    ['nothing said, Latin-1 sent', '', 'é', 'latin1', 'windows-1252', ['102']],
    ['ASCII said, UTF-8 sent', 'ASCII', 'é', 'utf8', 'utf-8', ['102']],
    ['ASCII said, Latin-1 sent', 'ASCII', 'é', 'latin1', 'windows-1252', ['102']],
    ['UTF-8 said, Latin-1 sent', 'UNICODE UTF-8', 'é', 'latin1', 'windows-1252', ['102']],
    ['Latin-1 said, Latin-1 sent', '8859/1', 'é', 'latin1', 'windows-1252', []],
    ['UTF-16 said, UTF-8 sent', 'UNICODE UTF-16', 'é', 'utf8', 'utf-8', ['102']],
    ['nonsense said', 'code1~code2', 'é', 'utf8', 'utf-8', ['103']],
    ['deleted', '""', 'é', 'utf8', 'utf-8', []],
  ] as const)('is read all the same, and noted: %s', (_what, name, text, encoding, label, codes) => {
    const message = parseMessage(Buffer.from(`${header(name)}${text}`, encoding))
    expect(message.get('PID-5')).toBe('é')
    expect(message.charset.name).toBe(label)
    expect(message.issues.map(({ code }) => code)).toEqual(codes)
  })

  it('is refused where the channel wants that, with the control id for the answer', () => {
    const { refused } = tryParseMessage(`${header('KLINGON')}x`, { charset: { unknown: 'refuse' } })
    expect(refused?.issue).toMatchObject({ code: '103', location: { segment: 'MSH', field: 18 } })
    expect(refused?.header?.get('MSH-10')).toBe('1')
  })

  it('is overruled by the channel', () => {
    const bytes = Buffer.from(`${header('UNICODE UTF-8')}\xe9`, 'latin1')
    expect(parseMessage(bytes, { charset: { forced: '8859/1' } }).get('PID-5')).toBe('é')
    const cyrillic = bytesIn('8859/5', `${header('')}Иванов`)
    expect(parseMessage(cyrillic, { charset: { fallback: '8859/5' } }).get('PID-5')).toBe('Иванов')
  })

  it('is believed, and noted, where it is of one byte a letter and every letter is UTF-8', () => {
    const message = parseMessage(Buffer.from(`${header('8859/1')}é`))
    expect(message.get('PID-5')).toBe('Ã©')
    expect(message.issues).toMatchObject([{ code: '102', severity: 'W', kind: 'character-set' }])
    const asked = { charset: { forced: '8859/1' } }
    expect(parseMessage(Buffer.from(`${header('8859/1')}é`), asked).issues).toEqual([])
    expect(parseMessage(bytesIn('GB 18030-2000', `${header('GB 18030-2000')}联通`)).issues).toEqual([])
  })

  it('says when bytes mean nothing in it', () => {
    const bytes = Buffer.from(`${header('8859/7')}\xff`, 'latin1')
    expect(parseMessage(bytes).issues[0]).toMatchObject({ code: '102' })
  })
})

describe('structure under character sets whose second bytes look like delimiters', () => {
  it('does not split a character', () => {
    // In Big5 the second byte of 功 is a backslash, and that of 四 is a vertical bar.
    const text = '功四許'
    const bytes = bytesIn('BIG-5', `${header('BIG-5')}${text}|after`)
    expect(Buffer.from(bytes).toString('latin1').split('|').length).toBeGreaterThan(
      `${header('BIG-5')}${text}|after`.split('|').length,
    )
    expect(parseMessage(bytes).get('PID-5')).toBe(text)
    expect(parseMessage(bytes).get('PID-6')).toBe('after')
  })

  it.each([
    ['~ISO IR87', 'iso-2022-jp', '放射線科', '実験病院'],
    ['ISO IR14', 'shift_jis', 'ポ病院', '竹'],
    ['BIG-5', 'big5', '教育醫院', '四'],
    ['GB 18030-2000', 'gb18030', '億達檤', '王'],
  ])('finds MSH-18 behind them: %s', (name, label, application, facility) => {
    const text = `MSH|^~\\&|${application}|${facility}|X|Y|20260304||ADT^A01|1|P|2.5.1|||||JPN|${name}\rPID|1||||${application}\r`
    const bytes = charsetNamed(label)?.encode(text) ?? new Uint8Array()
    expect(Buffer.from(bytes).toString('latin1').split('|').length).toBeGreaterThan(text.split('|').length)
    const message = parseMessage(bytes)
    expect(message.charset.name).toBe(label)
    expect(message.issues).toEqual([])
    const values = (['MSH-3', 'MSH-4', 'MSH-9', 'MSH-10', 'PID-5'] as const).map((path) => message.get(path))
    expect(values).toEqual([application, facility, 'ADT', '1', application])
  })
})
