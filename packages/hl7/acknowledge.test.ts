import { describe, expect, it } from 'vitest'
import { seededIds, seededRandom } from '../clock/ids.ts'
import { SimulatedClock } from '../clock/simulated-clock.ts'
import { acknowledge, refuse, type AckCode } from './acknowledge.ts'
import { acceptCode, acknowledgementMode, wantsAnswer } from './acknowledgement-mode.ts'
import { checkHeader } from './header-check.ts'
import type { Issue } from './issue.ts'
import { answerMasterFile } from './master-file-answer.ts'
import { parseMessage, tryParseMessage } from './parse.ts'
import { respondToQuery } from './query-response.ts'
import { isAnswerTo, readAcknowledgement } from './read-acknowledgement.ts'
import { readIssues } from './read-issues.ts'

const clock = new SimulatedClock('2026-03-04T05:06:07.890Z')
const deps = { clock, ids: seededIds(seededRandom(7), clock) }
const request = (type: string, version: string, more = '') =>
  parseMessage(`MSH|^~\\&|LAB|HOSP^1.2.3^ISO|HUB|CORRIDOR|20260304||${type}|A\\T\\7|P^T|${version}${more}\rPID|1\r`)
const lines = (text: string) => text.split('\r').slice(0, -1)
const withoutId = (line = '') => line.replace(/[\w-]{20}(?=\|)/, '<id>')

const issues: Issue[] = [
  {
    code: '101',
    severity: 'E',
    text: 'PID-3 is missing.',
    location: { segment: 'PID', sequence: 1, field: 3 },
    applicationCode: { code: 'NO_ID', text: 'No identifier', system: 'CORRIDOR' },
    diagnostics: 'see the guide',
  },
  { code: '207', severity: 'W', text: 'Try later.' },
]

describe('an acknowledgement', () => {
  it('goes back to the sender with the request control id sign by sign', () => {
    const [msh, msa, ...others] = lines(acknowledge(request('ADT^A01^ADT_A01', '2.5.1'), { code: 'AA' }, deps).text)
    expect(withoutId(msh)).toBe(
      'MSH|^~\\&|HUB|CORRIDOR|LAB|HOSP^1.2.3^ISO|20260304050607+0000||ACK^A01^ACK|<id>|P^T|2.5.1',
    )
    expect(msa).toBe('MSA|AA|A\\T\\7')
    expect(others).toEqual([])
  })

  it.each([
    ['ADT', '2.1', 'ACK'],
    ['ADT^A01', '2.3', 'ACK^A01'],
    ['ADT^A01^ADT_A01', '2.3', 'ACK^A01'],
    ['ADT^A01^ADT_A01', '2.3.1', 'ACK^A01^ACK'],
    ['ADT^A01^ADT_A01', '2.8', 'ACK^A01^ACK'],
    ['', '2.5', 'ACK'],
  ])('of %s in version %s is of type %s', (type, version, expected) => {
    expect(acknowledge(request(type, version), { code: 'AA' }, deps).segment('MSH')?.rawField(9)).toBe(expected)
  })

  it.each(['2.5', '2.5.1', '2.6', '2.9', '', 'nonsense'])('has one ERR an issue in version %j', (version) => {
    expect(lines(acknowledge(request('ADT^A01', version), { code: 'AE', issues }, deps).text).slice(2)).toEqual([
      'ERR||PID^1^3|101^Required field missing^HL70357|E|NO_ID^No identifier^CORRIDOR||see the guide|PID-3 is missing.',
      'ERR|||207^Application internal error^HL70357|W||||Try later.',
    ])
  })

  it.each(['2.1', '2.2', '2.3', '2.3.1', '2.4'])('has one ERR with a list in version %s', (version) => {
    expect(lines(acknowledge(request('ADT^A01', version), { code: 'AE', issues }, deps).text).slice(2)).toEqual([
      'ERR|PID^1^3^101&PID-3 is missing.&HL70357~^^^207&Try later.&HL70357',
    ])
  })

  it('uses the delimiters of the request and repeats its character set', () => {
    const odd = parseMessage('MSH$*@!%$A$B$C$D$1$$ADT*A01$9$P$2.4$$$$$$UNICODE UTF-8\r')
    const [msh, msa] = lines(acknowledge(odd, { code: 'AR', text: 'a$b*c' }, deps).text)
    expect(withoutId(msh?.replaceAll('$', '|'))).toBe(
      'MSH|*@!%|C|D|A|B|20260304050607+0000||ACK*A01|<id>|P|2.4||||||UNICODE UTF-8',
    )
    expect(msa).toBe('MSA$AR$9$a!F!b!S!c')
  })

  it('has a control id of at most twenty signs, never the same twice', () => {
    const ids = Array.from({ length: 100 }, () =>
      acknowledge(request('ADT', '2.3'), { code: 'AA' }, deps).get('MSH-10'),
    )
    expect(new Set(ids).size).toBe(100)
    expect(ids.every((id) => id?.length === 20)).toBe(true)
  })

  it('is given even to bytes that are no message', () => {
    const { refused } = tryParseMessage('hello')
    const answer = refused && refuse(refused, deps)
    expect(answer?.get('MSA-1')).toBe('AR')
    expect(answer?.get('MSA-2')).toBe('')
    expect(answer?.get('ERR-3')).toBe('100')
    expect(refused && refuse(refused, deps, 'CR').get('MSA-1')).toBe('CR')
  })

  it('goes to the sender of two messages in one frame', () => {
    const { refused } = tryParseMessage('MSH|^~\\&|A|B|C|D|1||ADT^A01|77|P|2.5\rPID|1\rMSH|^~\\&|A\r')
    expect(refused && refuse(refused, deps).get('MSA-2')).toBe('77')
  })
})

describe('the issues of an answer', () => {
  it('are read as they were written', () => {
    expect(readIssues(acknowledge(request('ADT^A01', '2.5.1'), { code: 'AE', issues }, deps))).toEqual(issues)
  })

  it('are read of the old form as far as that has a place for them', () => {
    expect(readIssues(acknowledge(request('ADT^A01', '2.3'), { code: 'AE', issues }, deps))).toEqual([
      { code: '101', severity: 'E', text: 'PID-3 is missing.', location: { segment: 'PID', sequence: 1, field: 3 } },
      { code: '207', severity: 'E', text: 'Try later.' },
    ])
  })

  it('are told in the words of table 0357 where the answer of another has none', () => {
    const answer = parseMessage('MSH|^~\\&|A|B|C|D|1||ACK|9|P|2.5\rMSA|AE|7\rERR|||103|\rERR|||none|\r')
    expect(readIssues(answer).map(({ code, text }) => `${code} ${text}`)).toEqual([
      '103 Table value not found',
      '207 Application internal error',
    ])
  })
})

describe('reading an acknowledgement', () => {
  it.each(['2.3', '2.5.1'])('gives code, control id and errors in version %s', (version) => {
    const sent = request('ADT^A01', version)
    const answer = acknowledge(sent, { code: 'AE', text: 'no', issues }, deps)
    expect(readAcknowledgement(answer)).toMatchObject({
      code: 'AE',
      controlId: 'A\\T\\7',
      text: 'no',
      errors: [
        { code: '101', place: 'PID^1^3', text: 'PID-3 is missing.' },
        { code: '207', place: undefined, text: 'Try later.' },
      ],
    })
    expect(isAnswerTo(answer, sent)).toBe(true)
    expect(isAnswerTo(answer, parseMessage('MSH|^~\\&|||||||ADT|8'))).toBe(false)
  })

  it('gives nothing where there is no MSA', () => {
    expect(readAcknowledgement(request('ADT^A01', '2.5'))).toBeUndefined()
  })
})

describe('enhanced mode', () => {
  it.each([
    ['', { mode: 'original', accept: 'NE', application: 'AL' }],
    ['|||AL|NE', { mode: 'enhanced', accept: 'AL', application: 'NE' }],
    ['|||NE|', { mode: 'enhanced', accept: 'NE', application: 'NE' }],
    ['||||SU', { mode: 'enhanced', accept: 'NE', application: 'SU' }],
    ['|||??|', { mode: 'original', accept: 'NE', application: 'AL' }],
  ])('is read from MSH-15 and MSH-16: %j', (more, mode) => {
    expect(acknowledgementMode(request('ADT^A01', '2.5', more))).toEqual(mode)
  })

  it.each([
    ['AL', 'AA', true],
    ['AL', 'CE', true],
    ['NE', 'AR', false],
    ['ER', 'AA', false],
    ['ER', 'AE', true],
    ['SU', 'CA', true],
    ['SU', 'CR', false],
  ] as const)('%s and %s: %s', (condition, code, wants) => {
    expect(wantsAnswer(condition, code)).toBe(wants)
  })

  it('has an accept code for each application code', () => {
    expect((['AA', 'AE', 'AR'] as AckCode[]).map(acceptCode)).toEqual(['CA', 'CE', 'CR'])
  })
})

describe('a header', () => {
  it.each([
    ['ADT^A01', {}, []],
    ['', {}, ['101 MSH-9']],
    ['ORU^R01', { messageTypes: ['ADT'] }, ['200 MSH-9']],
    ['ADT^A01', { processingIds: ['T'] }, ['202 MSH-11']],
    ['ADT^A01', { versions: ['2.3'] }, ['203 MSH-12']],
  ])('%s under %j is wrong in %j', (type, rules, expected) => {
    const found = checkHeader(request(type, '2.5.1'), rules)
    expect(found.map(({ code, location }) => `${code} MSH-${location?.field}`)).toEqual(expected)
  })

  it('needs a control id', () => {
    const anonymous = parseMessage('MSH|^~\\&|A|B|C|D|1||ADT^A01||P|2.5')
    expect(checkHeader(anonymous)).toMatchObject([{ code: '101', location: { field: 10 } }])
  })
})

describe('a query response', () => {
  const query = (trigger: string, version: string) =>
    parseMessage(
      `MSH|^~\\&|A|B|C|D|1||QBP^${trigger}^QBP_Q21|1|P|${version}\rQPD|IHE PDQ Query|t\\S\\1|@PID.5.1^DOE*~@PID.8^F\rRCP|I|10^RD\r`,
    )

  it('echoes the query, counts, and carries the rows', () => {
    const response = respondToQuery(
      query('Q22', '2.5'),
      {
        code: 'AA',
        status: 'OK',
        hits: { total: 5, here: 1, remaining: 4 },
        rows: (rows) => rows.add('PID', { 1: 1, 5: ['DOE', 'JANE'] }).add('QRI', [97]),
        continuation: 'more',
      },
      deps,
    )
    const [msh, ...others] = lines(response.text)
    expect(msh).toContain('|RSP^K22^RSP_K21|')
    expect(others).toEqual([
      'MSA|AA|1',
      'QAK|t\\S\\1|OK|IHE PDQ Query|5|1|4',
      'QPD|IHE PDQ Query|t\\S\\1|@PID.5.1^DOE*~@PID.8^F',
      'PID|1||||DOE^JANE',
      'QRI|97',
      'DSC|more|I',
    ])
  })

  it.each([
    ['Q21', '2.5', 'RSP^K21^RSP_K21'],
    ['Q22', '2.7', 'RSP^K22^RSP_K22'],
    ['Q23', '2.5', 'RSP^K23^RSP_K23'],
    ['Q24', '2.5', 'RSP^K24^RSP_K23'],
    ['ZV1', '2.5', 'RSP^ZV2^RSP_ZV2'],
  ])('to %s in version %s is %s', (trigger, version, type) => {
    const response = respondToQuery(query(trigger, version), { code: 'AA', status: 'NF' }, deps)
    expect(response.segment('MSH')?.rawField(9)).toBe(type)
    expect(response.get('QAK-2')).toBe('NF')
  })

  it('puts the errors before QAK', () => {
    const response = respondToQuery(query('Q23', '2.5'), { code: 'AE', status: 'AE', issues: issues.slice(1) }, deps)
    expect(response.all.map(({ name }) => name)).toEqual(['MSH', 'MSA', 'ERR', 'QAK', 'QPD'])
  })
})

describe('a master file answer', () => {
  const notification = (level: string) =>
    parseMessage(
      `MSH|^~\\&|A|B|C|D|1||MFN^M02^MFN_M02|1|P|2.5\rMFI|PRA||UPD|||${level}\rMFE|MAD|c1||7^^^X|CE\rSTF|7\rMFE|MUP|c2||8|CE\r`,
    )

  it.each([
    ['AL', ['c1 S', 'c2 U']],
    ['', ['c1 S', 'c2 U']],
    ['ER', ['c2 U']],
    ['SU', ['c1 S']],
    ['NE', []],
  ])('tells of the records that level %j asks for', (level, expected) => {
    const sent = notification(level)
    const [first, second] = sent.segments('MFE')
    if (first === undefined || second === undefined) throw new Error('two records')
    const records = [
      { record: first, code: 'S' },
      { record: second, code: 'U', text: 'unknown' },
    ] as const
    const answer = answerMasterFile(sent, { code: 'AA', records }, deps)
    expect(answer.segments('MFA').map((mfa) => `${mfa.text(2)} ${mfa.text(4)}`)).toEqual(expected)
    expect(answer.segment('MSH')?.rawField(9)).toBe('MFK^M02^MFK_M01')
    expect(answer.get('MFI-3')).toBe('UPD')
  })

  it('repeats the key of each record', () => {
    const sent = notification('AL')
    const records = sent.segments('MFE').map((record) => ({ record, code: 'S' }) as const)
    const [mfa] = answerMasterFile(sent, { code: 'AA', records }, deps).segments('MFA')
    expect(mfa?.raw).toBe('MFA|MAD|c1|20260304050607+0000|S^^HL70181|7^^^X|CE')
  })
})
