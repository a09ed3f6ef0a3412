import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { projectRoot } from './run/project-root.ts'
import { endWithReader } from './reader-gone.ts'

const messages = Array.from(
  { length: 1_000 },
  (_, index) =>
    `MSH|^~\\&|LAB|HOSP|HUB|CORRIDOR|20260304050607+0000||ADT^A28^ADT_A05|${index}|P|2.5.1\rEVN|A28|20260304050607+0000\r` +
    `PID|1||${index}^^^HOSP^MR||DOE^JANE\r`,
).join('')

let folder = ''
let file = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'corridor-reader-'))
  // Every line names it: more than a pipe holds, so that the command waits for its reader.
  file = join(folder, `${'many-'.repeat(30)}.hl7`)
  await writeFile(file, messages)
})

afterAll(() => rm(folder, { recursive: true }))

describe('a command whose reader leaves before its end', () => {
  it.each([
    ['hl7', 'convert'],
    ['hl7', 'show'],
    ['hl7', 'validate'],
  ])('%s %s ends without a word, like a program that SIGPIPE ended', async (...words) => {
    const { code, complaint } = await readOnlyTheFirst([...words, file])
    expect(complaint).toBe('')
    expect(code).toBe(141)
  })

  it('ends as ever when everything is read', async () => {
    const child = corridor(['hl7', 'show', file])
    child.stdout.resume()
    expect(await once(child, 'exit')).toEqual([0, null])
  })
})

describe('a stream that breaks', () => {
  const broken = (code: string) => Object.assign(new Error('write failed'), { code })

  it('does not end a Corridor that serves', () => {
    const stream = new PassThrough()
    const ended: number[] = []
    endWithReader(
      [stream],
      () => true,
      (code) => void ended.push(code),
    )
    stream.emit('error', broken('EPIPE'))
    expect(ended).toEqual([])
  })

  it('is not passed over in silence for any other reason', () => {
    const stream = new PassThrough()
    endWithReader(
      [stream],
      () => false,
      () => expect.unreachable('a full disk is an error'),
    )
    expect(() => stream.emit('error', broken('ENOSPC'))).toThrow('write failed')
  })
})

async function readOnlyTheFirst(words: readonly string[]) {
  const child = corridor(words)
  const complaints: Buffer[] = []
  child.stderr.on('data', (bytes: Buffer) => complaints.push(bytes))
  const exit = once(child, 'close')
  await once(child.stdout, 'data')
  child.stdout.destroy()
  const [code] = (await exit) as [number | null]
  return { code, complaint: Buffer.concat(complaints).toString() }
}

function corridor(words: readonly string[]) {
  // As built: the pages are TSX, which Node alone does not read.
  const main = new URL('dist/program/main.js', projectRoot()).href
  const program = `const { main } = await import(${JSON.stringify(main)}); await main(process.argv)`
  return spawn(process.execPath, ['--input-type=module', '-e', program, 'corridor', ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}
