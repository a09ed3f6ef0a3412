import { describe, expect, it } from 'vitest'
import { Hl7Fault } from './hl7-fault.ts'
import { parseMessage, tryParseMessage } from './parse.ts'

const header = 'MSH|^~\\&|APP|FAC|CORRIDOR|HUB|20260304||ADT^A01^ADT_A01|42|P|2.5.1'
const message = (...segments: string[]) => parseMessage(`${[header, ...segments].join('\r')}\r`)

describe('a place in a message', () => {
  const adt = message(
    'PID|1||123^^^HOSP&1.2.3&ISO^MR~456^^^NAT||DOE^JOHN^^""||19800101|""|',
    'OBX|1|NM|718-7^Hb^LN||13.5',
    'OBX|2|ST|X||two~zwei',
    'ZPD|own|data^of^the sender',
  )

  it.each([
    ['PID-5', 'DOE'],
    ['PID-5.1', 'DOE'],
    ['PID-5.2', 'JOHN'],
    ['PID-5[0].1.1', 'DOE'],
    ['PID-3.4.2', '1.2.3'],
    ['PID-3[1]', '456'],
    ['PID-3[1].4', 'NAT'],
    ['OBX-5', '13.5'],
    ['OBX[1]-5', 'two'],
    ['OBX[1]-5[1]', 'zwei'],
    ['ZPD-2.3', 'the sender'],
    ['MSH-1', '|'],
    ['MSH-2', '^~\\&'],
    ['MSH-9.3', 'ADT_A01'],
    ['MSH-10', '42'],
  ] as const)('%s is %s', (path, value) => {
    expect(adt.get(path)).toBe(value)
  })

  it.each([
    ['absent segment', 'PV1-2', undefined],
    ['absent occurrence', 'OBX[2]-5', undefined],
    ['absent field', 'PID-40', undefined],
    ['absent repetition', 'PID-3[2]', undefined],
    ['absent component', 'PID-5.5', undefined],
    ['absent sub-component', 'PID-5.1.2', undefined],
    ['empty field', 'PID-2', ''],
    ['empty field at the end', 'PID-9', ''],
    ['empty component', 'PID-5.3', ''],
    ['null field', 'PID-8', null],
    ['null component', 'PID-5.4', null],
  ] as const)('keeps an %s apart from the others', (_what, path, value) => {
    expect(adt.get(path)).toBe(value)
    expect(adt.getText(path)).toBeUndefined()
  })

  it('refuses a path that is none, because that is a mistake in the program', () => {
    for (const path of ['PID', 'PID-0', 'PID-5.0', 'pid-5', 'PID-5[', 'PID-5.1.2.3'] as const) {
      // Sound: the type rejects most of these already; the check must hold without it.
      expect(() => adt.get(path as 'PID-1')).toThrow(/is not a path/)
    }
  })
})

describe('structure characters', () => {
  it.each([
    ['other delimiters', 'MSH$*@!%$A$B\rPID$1$$x*y%z@w', { 'PID-3.2.2': 'z', 'PID-3[1]': 'w', 'MSH-2': '*@!%' }],
    ['five encoding characters', 'MSH|^~\\&#|A\rPID|1||x^y', { 'PID-3.2': 'y', 'MSH-2': '^~\\&#' }],
    ['an own escape character', 'MSH|^~!&|A\rPID|a!F!b', { 'PID-1': 'a|b' }],
    ['& without an escape character', 'MSH|^~&|A\rPID|a\\F\\^b&c', { 'PID-1': 'a\\F\\', 'PID-1.2.2': 'c' }],
    ['two encoding characters', 'MSH|^~|A\rPID|a&b^c~d', { 'PID-1': 'a&b', 'PID-1.2': 'c', 'PID-1[1]': 'd' }],
    ['a doubled backslash', 'MSH|^~\\\\&|A\rPID|a\\F\\b&c', { 'PID-1': 'a|b', 'PID-1.1.2': 'c' }],
    ['none at all', 'MSH||A\rPID|a^b', { 'PID-1.2': 'b', 'MSH-3': 'A' }],
    ['a separator that regular expressions know', 'MSH]^~\\&]A\rPID]a]b', { 'PID-2': 'b' }],
    ['a header without anything else', 'MSH|^~\\&', { 'MSH-2': '^~\\&' }],
  ])('are read: %s', (_what, text, values) => {
    const read = parseMessage(text)
    for (const [path, value] of Object.entries(values)) expect(read.get(path as 'PID-1')).toBe(value)
  })

  it('of what a field ends in are a part of its text, but for those at its end', () => {
    const field = message('OBX|1|ED|X||LAB^T^HTML^A^<p>a & b ^ c\\.br\\&d^^').part('OBX-5')
    expect([field?.textFrom(5), field?.textFrom(4), field?.textFrom(8)]).toEqual([
      '<p>a & b ^ c\n&d',
      'A^<p>a & b ^ c\n&d',
      undefined,
    ])
    expect(field?.part(5)?.textFrom(2)).toBe(' b ')
  })

  it.each([
    ['nothing', '', '100', 'MSH'],
    ['white space', ' \r\n', '100', 'MSH'],
    ['no header', 'PID|1', '100', 'MSH'],
    ['no HL7', '{"resourceType":"Patient"}', '100', 'MSH'],
    ['a header without separator', 'MSH', '100', 'MSH-1'],
    ['a letter for separator', 'MSHA^~\\&A', '100', 'MSH-1'],
    ['letters for encoding characters', 'MSH|ADT1|x', '102', 'MSH-2'],
    ['one character with two roles', 'MSH|^~^&|x', '102', 'MSH-2'],
    ['a batch', 'FHS|^~\\&|A\rMSH|^~\\&|A', '100', 'FHS'],
    ['two messages in one', 'MSH|^~\\&|A\rPID|1\rMSH|^~\\&|B\rPID|2', '100', 'MSH[1]'],
    ['a line end for every byte', `MSH|^~\\&|A\r${'A\r'.repeat(100_001)}`, '104', undefined],
  ])('are refused with a reason: %s', (_what, text, code, path) => {
    const { refused } = tryParseMessage(text)
    expect(refused).toBeInstanceOf(Hl7Fault)
    expect(refused?.issue.code).toBe(code)
    expect(refused?.fields[0]?.path).toBe(path)
    expect(() => parseMessage(text)).toThrow(refused?.message)
  })
})

describe('segment ends', () => {
  const names = (text: string) => parseMessage(text).all.map(({ name }) => name)

  it.each([
    ['CR', '\r'],
    ['LF', '\n'],
    ['CRLF', '\r\n'],
    ['CR and blank lines', '\r\r'],
    ['LF and blank lines', '\n\n'],
  ])('may be %s', (_what, end) => {
    expect(names([header, 'PID|1', 'PV1|1', ''].join(end))).toEqual(['MSH', 'PID', 'PV1'])
    expect(names([header, 'PID|1', 'PV1|1'].join(end))).toEqual(['MSH', 'PID', 'PV1'])
  })

  it('may be mixed', () => {
    expect(names(`${header}\rPID|1\nPV1|1\r\nOBX|1\n\rNTE|1`)).toEqual(['MSH', 'PID', 'PV1', 'OBX', 'NTE'])
  })

  it('leave a line feed inside a report alone where segments end with CR', () => {
    const read = parseMessage(`${header}\rOBX|1|TX|||line one\nline two\n\nThe end|||||F\rOBX|2\r`)
    expect(read.get('OBX-5')).toBe('line one\nline two\n\nThe end')
    expect(read.get('OBX-10')).toBe('F')
  })

  it.each([
    ['DR1|ward 3\nend', 'Seen by\nDR1'],
    ['PID|x', 'Seen by\nPID'],
    ['OBX|2|TX|||second', 'Seen by\nOBX'],
  ])('leave a line of a report alone that looks like a segment: %j', (line, value) => {
    const read = parseMessage(`${header}\rPID|1\rOBX|1|TX|||Seen by\n${line}|||||F\rOBX|2|TX|||||||||F\r`)
    expect(read.all.map(({ name }) => name)).toEqual(['MSH', 'PID', 'OBX', 'OBX'])
    expect(read.get('OBX-5')).toBe(value)
  })

  it.each([
    ['beside another segment', `PID|1\nPV1|1\rOBX|1|ST|||value\nOBX|2\r`, ['PID', 'PV1', 'OBX', 'OBX']],
    ['after a status', `PID|1\rOBX|1|ST|||value||||||F\nOBX|2|ST|||value\nNTE|1`, ['PID', 'OBX', 'OBX', 'NTE']],
  ])('end with a line feed, in results too, where the sender mixes ends: %s', (_where, rest, expected) => {
    expect(names(`${header}\r${rest}`)).toEqual(['MSH', ...expected])
  })

  it('let no header hide in a report', () => {
    expect(tryParseMessage(`${header}\rOBX|1|TX|||text\n${header}\r`).refused?.issue.text).toMatch(/more than one MSH/)
  })

  it('leave a line feed inside a report alone even where segments end with LF', () => {
    const read = parseMessage(`${header}\nOBX|1|TX|||line one\nline two is long|||||F\nOBX|2\n`)
    expect(read.get('OBX-5')).toBe('line one\nline two is long')
    expect(read.segments('OBX')).toHaveLength(2)
  })

  it.each(['\r', '\n'])('leave room for indentation, so that no second message hides behind it (%j)', (end) => {
    expect(names([header, '  PID|1', '\tPV1|1'].join(end))).toEqual(['MSH', 'PID', 'PV1'])
    expect(tryParseMessage([header, 'PID|1', ` ${header}`, ' PID|2'].join(end)).refused?.issue.code).toBe('100')
  })

  it('are found after a byte order mark, blank lines and the frame of a stored message', () => {
    for (const before of ['\ufeff', '\r\n\r\n', '\u000b', '\ufeff\n']) {
      expect(names(`${before}${header}\rPID|1\r`)).toEqual(['MSH', 'PID'])
    }
    expect(parseMessage(`\u000b${header}\rPID|1\u001c\r`).get('PID-1')).toBe('1')
  })
})

describe('what is odd but readable', () => {
  it.each([
    ['pid|1|x', /lower case; it is read as PID/],
    ['PI|1', /has the name PI/],
    ['PIDX|1', /has the name PIDX/],
    ['a line of text', /does not begin with a segment name/],
  ])('%s is reported', (segment, text) => {
    const issues = message(segment).issues
    expect(issues).toHaveLength(1)
    expect(issues[0]).toMatchObject({ code: '100', severity: 'W', text: expect.stringMatching(text) })
  })

  it('reads a segment with a lower-case name', () => {
    expect(message('pid|1|x').get('PID-2')).toBe('x')
  })

  it('does not repeat a stray line of a report, because it may name a patient', () => {
    expect(JSON.stringify(message('Jane Doe has it').issues)).not.toContain('Jane')
  })

  it.each([
    ['NTE|1||\\C2842\\x', 'kept-escape', 3],
    ['PID|1|x\\Z01\\', 'kept-escape', 2],
    ['PID|1||||\\M244240\\^x', 'kept-escape', 5],
    ['PID|1||||M\\XFC\\ller', 'guessed-bytes', 5],
  ])('%s is flagged at its field', (segment, kind, field) => {
    const location = { segment: segment.slice(0, 3), sequence: 2, field }
    const before = segment.startsWith('PID') ? 'PID|0' : 'NTE|0'
    expect(message(before, segment).issues).toMatchObject([{ code: '102', severity: 'W', kind, location }])
  })

  it.each(['NTE|1||a\\T\\b\\.br\\\\X41\\\\XC3\\\\XA9\\', 'NTE|1||C:\\Zebra', 'NTE|1||\\E\\Z01\\E\\'])(
    '%s is not',
    (segment) => {
      expect(message(segment).issues).toEqual([])
    },
  )

  it('says no more of 600,000 such fields than of a hundred', () => {
    const { flags } = message(`NTE${'|\\Z1\\'.repeat(600_000)}`)
    expect(flags).toHaveLength(100)
    expect(flags.at(-1)).toMatchObject({ kind: 'kept-escape', location: { segment: 'NTE', sequence: 1, field: 100 } })
  })

  it('has nothing to say about an ordinary message', () => {
    expect(message('PID|1', 'ZZ1|x').issues).toEqual([])
  })
})

describe('groups', () => {
  it('keep an OBR with the ORC before it and let an OBR alone begin a group', () => {
    const oru = message('PID|1', 'ORC|1', 'OBR|1', 'OBX|1', 'NTE|1', 'OBR|2', 'OBX|2', 'ORC|3', 'OBR|3')
    const { before, groups } = oru.groups('ORC', 'OBR')
    const shown = groups.map((group) => group.all.map(({ raw }) => raw))
    expect(before.all.map(({ name }) => name)).toEqual(['MSH', 'PID'])
    expect(shown).toEqual([
      ['ORC|1', 'OBR|1', 'OBX|1', 'NTE|1'],
      ['OBR|2', 'OBX|2'],
      ['ORC|3', 'OBR|3'],
    ])
    expect(groups[0]?.groups('OBX').groups[0]?.has('NTE')).toBe(true)
  })
})

describe('the bytes', () => {
  it('are given back as they came', () => {
    const bytes = Buffer.from(`\ufeff\r\n${header}\nPID|1|\\X0D\\|""|||\r\n\rZZZ\n`)
    expect(parseMessage(bytes).bytes).toEqual(bytes)
  })
})
