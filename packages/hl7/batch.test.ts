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
  ])('says what does not agree', (text, issues) => {
    expect(split(text).issues.map((issue) => issue.text)).toEqual(issues)
  })

  it('is not split by a word in a field', () => {
    expect(texts('MSH|^~\\&|A\rNTE|1||MSH|BHS\rOBX|1|TX|||see MSH|x\r')).toHaveLength(1)
  })
})
