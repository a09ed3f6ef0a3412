import assert from 'node:assert/strict'
import { SimulatedClock } from '../../clock/simulated-clock.ts'
import { systemIds } from '../../clock/ids.ts'
import { faultOf } from '../../faults/fault.ts'
import { splitBatch } from '../batch.ts'
import { edit } from '../builder.ts'
import type { Hl7Fault } from '../hl7-fault.ts'
import type { Message } from '../message.ts'
import { failureAnswer } from '../mllp/failure-answer.ts'
import { parseMessage, tryParseMessage } from '../parse.ts'
import * as types from '../types/index.ts'

/** What answers are made with. */
export const answerDeps = {
  clock: new SimulatedClock(),
  ids: { ...systemIds, secret: () => 'ABCDEFGHIJ0123456789' },
}

export const segmentNames = (message: Message): string => message.all.map(({ name }) => name).join(' ')

/**
 * Prepares what must hold of any bytes: they are read or refused, never thrown at, written as they were, and get an answer
 * that can be read. The turn says with which of the readers the fields begin.
 */
export function makeHoldReading(): (input: Buffer, turn: number) => void {
  const answered = new Set<string>()
  return (input, turn) => {
    const { messages } = splitBatch(input)
    assert.ok(messages.reduce((sum, { length }) => sum + length, 0) <= input.length)
    const { message, refused } = tryParseMessage(input)
    assert.equal(message === undefined, refused !== undefined)
    assert.equal(message?.bytes ?? input, input)
    assert.equal(message && edit(message).text(), message?.text)
    readEverything(message, turn)
    const reason = reasonOf(message ?? refused?.header, refused)
    if (answered.has(reason)) return
    holdAnswer(input, refused)
    // Millions of them would not fit into memory.
    if (answered.size > 100_000) answered.clear()
    answered.add(reason)
  }
}

const failure = faultOf(new Error('x'))
const wanted = () => ({ accept: 'NE', application: 'AL' }) as const

function holdAnswer(bytes: Buffer, refused: Hl7Fault | undefined): void {
  const answer = failureAnswer({ bytes, failure: refused ?? failure, wanted }, answerDeps)
  assert.equal(answer && segmentNames(parseMessage(answer)), 'MSH MSA ERR')
}

/** What an answer is made from: the header, where there is one, and the issue. The same again would show nothing. */
function reasonOf(header: Message | undefined, refused: Hl7Fault | undefined): string {
  return `${header?.charset.name} ${header?.segment('MSH')?.raw} ${JSON.stringify(refused?.issue)}`
}

const readers = [
  types.readCnn,
  types.readCq,
  types.readCwe,
  types.readCx,
  types.readEip,
  types.readNdl,
  types.readNm,
  types.readNr,
  types.readPl,
  types.readRange,
  types.readSi,
  types.readSn,
  types.readTime,
  types.readTimestamp,
  types.readXad,
  types.readXcn,
  types.readXon,
  types.readXpn,
  types.readXtn,
]

/** How many there are to begin with. */
export const readerCount = readers.length

/** Each part by three of the readers, from the one on whose turn it is: all of them see all kinds of parts in time. */
function readEverything(message: Message | undefined, turn: number): void {
  let next = turn
  for (const segment of message?.all ?? []) {
    const { lastField } = segment
    for (let field = 1; field <= lastField; field++) {
      for (const part of segment.repetitions(field))
        for (let read = 0; read < 3; read++) readers[next++ % readers.length]?.(part)
    }
  }
}
