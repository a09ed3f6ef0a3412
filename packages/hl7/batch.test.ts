import { describe, expect, it } from 'vitest'
import { splitBatch } from './batch.ts'
import { charset } from './charset.ts'

const first = 'MSH|^~\\&|A|||||||1\rPID|1\r'
const second = 'MSH|^~\\&|A|||||||2\rPID|2\r'
const split = (text: string) => splitBatch(Buffer.from(text))
const texts = (text: string) => split(text).messages.map((message) => Buffer.from(message).toString())

describe('a batch', () => {
  it.each([
    ['file and batch', `FHS|^~\\&|A\rBHS|^~\\&|A\r${first}${second}BTS|2\rFTS|1\r`],
    ['batch alone', `BHS|^~\\&|A\r${first}${second}BTS|2\r`],
    ['batch without trailer', `BHS|^~\\&|A\r${first}${second}`],
    ['messages alone', `${first}${second}`],
    ['indented', `  ${first} ${second}`],
    ['after a mark and blank lines', `\ufeff\r\nFHS|^~\\&|A\r${first}${second}FTS\r`],
  ])('gives its messages: %s', (_what, text) => {
    expect(texts(text).map((message) => message.trim())).toEqual([first, second].map((message) => message.trim()))
    expect(split(text).issues).toEqual([])
  })

  it('may be one message, whose bytes stay as they are', () => {
    const bytes = Buffer.from(`\ufeff\n${first}`)
    expect(splitBatch(bytes)).toEqual({ messages: [bytes], hasEnvelope: false, issues: [] })
    const wide = charset('utf-16le').encode(first)
    expect(splitBatch(wide).messages).toEqual([wide])
  })

  it('may be no message at all', () => {
    expect(texts('hello')).toEqual(['hello'])
    expect(split('FHS|^~\\&|A\rFTS|0\r').messages).toEqual([])
  })

  it.each([
    [`BHS|^~\\&|A\r${first}${second}BTS|3\r`, ['BTS-1 counts 3 messages, but there are 2.']],
    [`FHS|^~\\&|A\rBHS|^~\\&\r${first}BTS|1\rFTS|2\r`, ['FTS-1 counts 2 batches, but there are 1.']],
    [`Dear receiver,\r${first}`, ['There is text before the first header; it was skipped.']],
    [`BHS|^~\\&|A\r${first}BTS|1\rNTE|1||late\r`, ['There are lines after BTS that belong to no message.']],
  ])('says what does not agree', (text, issues) => {
    expect(split(text).issues.map((issue) => issue.text)).toEqual(issues)
  })

  it('is not split by a word in a field', () => {
    expect(texts('MSH|^~\\&|A\rNTE|1||MSH|BHS\rOBX|1|TX|||see MSH|x\r')).toHaveLength(1)
  })

  it.each(['BHS: isolated', 'MSH-9 was wrong', 'BTS/2', 'FTS, then', 'BHS|isolated', 'FTS', 'MSH|^~\\&|quoted'])(
    'is not split by a line of a report: %s',
    (line) => {
      const report = `${first}OBX|1|FT|600-7||Throat culture\n${line}\nthe end||||||F\rOBX|2|NM|2823-3||7.9\r`
      expect(texts(report)).toEqual([report])
      expect(texts(`${report}${second}`)).toEqual([report, second])
    },
  )

  it.each(['\r', '\n'])(
    'is not split by a word before another sign than its separator, whatever ends a line: %j',
    (end) => {
      expect(
        texts(['MSH|^~\\&|A', 'OBX|1|FT|||culture', 'BHS: isolated', 'MSH-9 was wrong', ''].join(end)),
      ).toHaveLength(1)
    },
  )

  it('may end its messages with LF, mix ends, or change the separator between two headers', () => {
    const lines = (text: string) => text.replaceAll('\r', '\n')
    expect(texts(lines(`BHS|^~\\&|A\r${first}${second}BTS|2\r`))).toEqual([lines(first), lines(second)])
    expect(texts(`${first.trimEnd()}\n${second}`)).toEqual([`${first.trimEnd()}\n`, second])
    expect(texts(`${first}${second.replaceAll('|', '#')}`)).toEqual([first, second.replaceAll('|', '#')])
  })
})
