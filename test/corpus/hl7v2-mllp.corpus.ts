import { afterAll, beforeAll, expect, it } from 'vitest'
import { edit, splitBatch, tryParseMessage, type Message } from '../../packages/hl7/index.ts'
import { openHl7Sender, type Hl7Sender } from '../../packages/testkit/hl7-sender.ts'
import { testCorridor, type TestCorridor } from '../../packages/testkit/test-corridor.ts'
import { messageTypesOf } from '../../services/bridge/listeners/message-types.ts'
import { channelIds, type ChannelId } from '../../services/bridge/pipeline/channel.ts'
import { corpusFiles } from './corpus-files.ts'

/** The whole corpus goes over MLLP into a running Corridor: every frame is answered, whatever it holds. */

let corridor: TestCorridor
beforeAll(async () => {
  corridor = await testCorridor()
})
afterAll(() => corridor[Symbol.asyncDispose]())

const connections = 8
/** Neither may stand inside a frame: VT begins one, FS ends it. */
const framing = /[\u000b\u001c]/

it('answers every message of other people, and lives', async () => {
  const waiting = [...corpusMessages()]
  const total = waiting.length
  const outcomes = new Map<string, string[]>()
  const worker = async () => {
    const senders = new Map<ChannelId, Hl7Sender>()
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const { channel, name, bytes } = next
      const sender = senders.get(channel) ?? (await sendTo(channel))
      senders.set(channel, sender)
      const { ackCode, errors } = await sender.send(bytes, { deadlineMs: 60_000 })
      const outcome = `${channel} ${ackCode} ${reasonOf(errors[0])}`.trim()
      outcomes.set(outcome, [...(outcomes.get(outcome) ?? []), name])
    }
    await Promise.all([...senders.values()].map((sender) => sender.close()))
  }
  await Promise.all(Array.from({ length: connections }, worker))
  const lines = [...outcomes].map(([outcome, names]) => `${String(names.length).padStart(5)} ${outcome}${some(names)}`)
  process.stdout.write(`${lines.toSorted((one, other) => one.localeCompare(other)).join('\n')}\n`)
  const answered = [...outcomes.values()].reduce((sum, names) => sum + names.length, 0)
  expect(answered).toBe(total)
  expect(total).toBeGreaterThan(1_200)
  // What we make of a message is our own doing: the store takes it, whatever came before it and in which order.
  expect([...outcomes.keys()].filter((outcome) => /INTERNAL|STORE_REJECTED/.test(outcome))).toEqual([])
  expect((await fetch(`${corridor.url('bridge')}/actuator/health/liveness`)).ok).toBe(true)
})

/** ERR-5 and ERR-8; before 2.5 only ERR-1 says where and what. */
function reasonOf(error: string | undefined): string {
  const [, place = '', , , , code = '', , , text = ''] = error?.split('|') ?? []
  return code === '' && text === '' ? place : `${code} ${text}`.trim()
}

/** The first of those that were not taken, to look them up. */
const some = (names: readonly string[]): string =>
  names.length > 4 ? '' : ` (${names.map((name) => name.slice(-60)).join(', ')})`

const sendTo = (channel: ChannelId) =>
  openHl7Sender({ host: '127.0.0.1', port: corridor.configuration.bridge.channels[channel].port })

function* corpusMessages(): Generator<{ channel: ChannelId; name: string; bytes: Buffer }> {
  for (const { name, read } of corpusFiles('hl7v2', '.hl7')) {
    for (const bytes of splitBatch(read()).messages) {
      const { message } = tryParseMessage(bytes)
      const type = message?.getText('MSH-9.1')?.toUpperCase() ?? ''
      const channel = channelIds.find((id) => messageTypesOf[id].includes(type)) ?? 'adt'
      const whole = message === undefined ? Buffer.from(bytes) : inOriginalMode(message)
      if (!framing.test(whole.toString('latin1'))) yield { channel, name, bytes: whole }
    }
  }
}

/** In enhanced mode a sender may want two answers, or none: here everybody wants one. */
function inOriginalMode(message: Message): Buffer {
  const asked = (['MSH-15', 'MSH-16'] as const).filter((path) => message.getText(path) !== undefined)
  if (asked.length === 0) return Buffer.from(message.bytes)
  const editing = edit(message)
  for (const path of asked) editing.set(path, '')
  return Buffer.from(editing.message().bytes)
}
