import { describe, expect, it } from 'vitest'
import { splitBatch, tryParseMessage } from '../../packages/hl7/index.ts'
import { corpusFiles } from './corpus-files.ts'

/** The only messages that may be refused, and why: they are cut-outs of source code, not messages. */
const refusedAt = /MSH-2|MSH\[0\]-2/

describe('every message of other people', () => {
  it('is read and given back byte by byte, or refused for what is wrong with it', () => {
    const refused: string[] = []
    const changed: string[] = []
    let messages = 0
    for (const { name, read } of corpusFiles('hl7v2', '.hl7')) {
      for (const bytes of splitBatch(read()).messages) {
        messages++
        const result = tryParseMessage(bytes)
        if ('refused' in result) refused.push(`${name}: ${result.refused.shown}`)
        else if (!Buffer.from(result.message.bytes).equals(Buffer.from(bytes))) changed.push(name)
      }
    }
    process.stdout.write(
      `${messages} messages, ${refused.length} refused\n${refused.map((line) => `  ${line}\n`).join('')}`,
    )
    expect(messages).toBeGreaterThan(1_000)
    expect(changed).toEqual([])
    expect(refused.length / messages).toBeLessThan(0.01)
    expect(refused.filter((line) => !refusedAt.test(line) && !line.includes('encoding characters'))).toEqual([])
  })
})
