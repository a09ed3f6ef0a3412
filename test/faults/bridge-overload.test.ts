import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { faultOf } from '../../packages/faults/fault.ts'
import type { Child } from '../../packages/testkit/child.ts'
import type { Hl7Answer } from '../../packages/testkit/hl7-answer.ts'
import { openHl7Sender, type Hl7Sender } from '../../packages/testkit/hl7-sender.ts'
import { casesOf } from '../../packages/testkit/extent.ts'
import { waitFor } from '../../packages/testkit/wait-for.ts'
import { sample } from '../../services/bridge/testing/flow-world.ts'
import { sql } from '../../packages/sql/sql.ts'
import { bridgePlace, type BridgePlace } from './places/bridge-place.ts'
import { tellFigures } from './findings/fault-figures.ts'

/** The bridge that the fault tests start has room for 256 connections. */
const room = 256
/** So many crowds come, one after the other, each three times as many as there is room for: at night for five minutes. */
const crowds = casesOf({ daily: 1, long: 1, night: 12 })
const comers = crowds * 3 * room
const messagesEach = casesOf({ daily: 4, long: 40 })

describe(`${comers} senders with ${messagesEach} messages each at a bridge that has room for ${room}`, () => {
  const outcomes = new Map<string, number>()
  let place: BridgePlace
  let bridge: Child
  let residentMost = 0
  let residentBefore = 0

  beforeAll(async () => {
    place = await bridgePlace({ leaseMs: 30_000 })
    bridge = await place.started()
    residentBefore = await residentBytes()
    for (let crowd = 0; crowd < crowds; crowd++) await letIn(crowd)
    await place.untilDone()
  }, crowds * 900_000)
  afterAll(() => place?.[Symbol.asyncDispose]())

  /** All come at once, again and again, until each was let in: nobody is told when there is room. */
  async function letIn(crowd: number): Promise<void> {
    let waiting = Array.from({ length: comers / crowds }, (_, number) => `P${crowd}x${number}`)
    while (waiting.length > 0) {
      // Nobody begins, and leaves, before all have come.
      const connected = await Promise.all(waiting.map(async (patient) => ({ patient, sender: await connection() })))
      await untilTheRestIsSentAway(connected)
      const left = await Promise.all(connected.map(sendAll))
      waiting = left.filter((patient) => patient !== undefined)
      residentMost = Math.max(residentMost, await residentBytes())
    }
  }

  async function residentBytes(): Promise<number> {
    const status = await readFile(`/proc/${bridge.pid}/status`, 'utf8')
    return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) * 1_024
  }

  const count = (outcome: string) => outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)

  const connection = () => openHl7Sender({ host: '127.0.0.1', port: place.port }).catch(() => undefined)

  /** The system makes a connection before the bridge has seen it, and a slow bridge would see it when others have left. */
  async function untilTheRestIsSentAway(connected: readonly Comer[]): Promise<void> {
    let gone = 0
    const countOne = () => void gone++
    for (const { sender } of connected) {
      Promise.resolve(sender?.waitForEnd({ deadlineMs: 600_000 })).then(countOne, () => {})
    }
    const what = `all but ${room} to be sent away`
    await waitFor(() => connected.length - gone <= room, { what, deadlineMs: 120_000 })
  }

  /** All of a sender's messages at once. Gives the sender back when it was sent away. */
  async function sendAll({ patient, sender }: Comer): Promise<string | undefined> {
    if (sender === undefined) return sentAway(patient)
    try {
      return await answersOf(sender, patient)
    } finally {
      await sender.close()
    }
  }

  async function answersOf(sender: Hl7Sender, patient: string): Promise<string | undefined> {
    const texts = Array.from({ length: messagesEach }, (_, number) =>
      sample({ controlId: `${patient}-${number + 1}`, patient }),
    )
    const answers = await Promise.allSettled(texts.map((text) => sender.send(text, { deadlineMs: 300_000 })))
    if (answers.every(({ status }) => status === 'rejected')) return sentAway(patient)
    for (const answer of answers) {
      count(answer.status === 'fulfilled' ? saidIn(answer.value) : `broken: ${faultOf(answer.reason).message}`)
    }
    return undefined
  }

  const saidIn = ({ ackCode, text }: Hl7Answer) => (ackCode === 'AA' ? ackCode : `${ackCode}: ${text}`)

  function sentAway(patient: string): string {
    count('sent away')
    return patient
  }

  it('sent away those for whom there was no room, and answered every message of the others', () => {
    const { 'sent away': away = 0, ...answered } = Object.fromEntries(outcomes)
    expect(away).toBeGreaterThanOrEqual(comers - crowds * room)
    expect(answered).toEqual({ AA: comers * messagesEach })
  })

  it('stored each message once and in its order, and nothing else', async ({ task }) => {
    const rows = await place.database.many<{ patient: string; last: number; wrong: number }>(
      sql`select patient, last, wrong from public.patients`,
    )
    expect(rows.filter(({ last, wrong }) => last !== messagesEach || wrong !== 0)).toEqual([])
    expect(rows).toHaveLength(comers)
    const megabytes = Math.round((residentMost - residentBefore) / 1_048_576)
    const seen = `${outcomes.get('sent away')} connections were sent away, and memory grew by ${megabytes} MB at most`
    tellFigures(task, { histories: comers * messagesEach, lost: 0, twice: 0, seen })
  })

  it('stayed within its memory, and serves the next one who comes', async () => {
    expect(residentMost - residentBefore).toBeLessThan(256 * 1_048_576)
    await using sender = await openHl7Sender({ host: '127.0.0.1', port: place.port })
    expect((await sender.send(sample({ controlId: 'N-1', patient: 'N' }))).ackCode).toBe('AA')
    expect(bridge.errorLines).toEqual([])
  })
})

interface Comer {
  readonly patient: string
  /** Undefined: it was not even let in. */
  readonly sender: Hl7Sender | undefined
}
