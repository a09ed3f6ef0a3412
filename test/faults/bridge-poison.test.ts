import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../packages/sql/sql.ts'
import { casesOf } from '../../packages/testkit/extent.ts'
import { waitFor } from '../../packages/testkit/wait-for.ts'
import type { Outcome } from '../../services/bridge/pipeline/outcome.ts'
import type { Received } from '../../services/bridge/pipeline/received.ts'
import {
  failed,
  flowWorld,
  parked,
  sample,
  succeeded,
  type FlowWorld,
} from '../../services/bridge/testing/flow-world.ts'
import { tellFigures } from './findings/fault-figures.ts'

const messages = casesOf({ daily: 1_000, long: 100_000 })
const messagesEach = 20
const patients = Array.from({ length: messages / messagesEach }, (_, number) => `P${number}`)

/** One message of every fifth patient, in the middle of the others: one in a hundred. */
const poisonNumber = 10
type Poison = 'a bug' | 'a refusal' | 'never taken'

function poisonOf(patient: string): Poison | undefined {
  const number = Number(patient.slice(1))
  return number % 5 === 0 ? (['a bug', 'a refusal', 'never taken'] as const)[(number / 5) % 3] : undefined
}

const patientsWith = (poison: Poison) => patients.filter((patient) => poisonOf(patient) === poison)

describe(`${messages} messages, of which one in a hundred is poison`, () => {
  const stored = new Map<string, number[]>()
  const attempts = new Map<string, number>()
  const answers = new Map<string, string[]>()
  let world: FlowWorld

  /** In the place of the stages: what a poison does to them is its own, and everybody else's message is stored. */
  async function runStages({ message }: Received): Promise<Outcome> {
    const controlId = message.getText('MSH-10') ?? ''
    const [patient = '', number = ''] = controlId.split('-')
    const poison = Number(number) === poisonNumber ? poisonOf(patient) : undefined
    if (poison === undefined) {
      stored.set(patient, [...(stored.get(patient) ?? []), Number(number)])
      return succeeded()
    }
    attempts.set(controlId, (attempts.get(controlId) ?? 0) + 1)
    if (poison === 'a bug') throw new TypeError(`${controlId} has no such property`)
    return poison === 'a refusal'
      ? { ...failed('AR'), errorCode: 'REFUSED', errorMessage: `No ${controlId}` }
      : parked({ errorMessage: `Not ${controlId}` })
  }

  async function sendAll(patient: string): Promise<void> {
    const heard: string[] = []
    answers.set(patient, heard)
    for (let number = 1; number <= messagesEach; number++) {
      heard.push((await world.code(sample({ controlId: `${patient}-${number}`, patient }))).slice(0, 9))
    }
  }

  const openWork = async () =>
    (await world.database.one<{ count: number }>(sql`select count(*)::int as count from bridge.open_work`)).count

  beforeAll(async () => {
    // Nothing is tried again by itself: so whoever is done before that did not wait for it.
    const retry = { maxAttempts: 10, baseMs: 3_600_000, maxMs: 3_600_000, multiplier: 1 }
    world = await flowWorld({ runStages, channels: { adt: { retry } } })
    const waiting = [...patients]
    const lane = async () => {
      for (let patient = waiting.shift(); patient !== undefined; patient = waiting.shift()) await sendAll(patient)
    }
    await Promise.all(Array.from({ length: 100 }, lane))
  }, 900_000)
  afterAll(() => world?.[Symbol.asyncDispose]())

  const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)
  const allButPoison = [...numbers(1, poisonNumber - 1), ...numbers(poisonNumber + 1, messagesEach)]

  it('hold up nobody but those that come after one which the store never takes, for the same patient', async () => {
    const held = patientsWith('never taken')
    const wanted = patients.map((patient) => {
      if (held.includes(patient)) return numbers(1, poisonNumber - 1)
      return poisonOf(patient) === undefined ? numbers(1, messagesEach) : allButPoison
    })
    expect(patients.map((patient) => stored.get(patient))).toEqual(wanted)
    expect(await openWork()).toBe(held.length * (messagesEach - poisonNumber + 1))
  })

  it('are answered each as it went', () => {
    const answerTo = (patient: string, number: number) => {
      const poison = poisonOf(patient)
      if (poison === 'never taken') return number < poisonNumber ? 'AA' : 'AA Queued'
      if (number !== poisonNumber || poison === undefined) return 'AA'
      return poison === 'a bug' ? 'AE' : 'AR'
    }
    const shown = patients.map((patient) =>
      (answers.get(patient) ?? []).map((answer) => (answer.startsWith('AA') ? answer : answer.slice(0, 2))),
    )
    expect(shown).toEqual(
      patients.map((patient) => numbers(1, messagesEach).map((number) => answerTo(patient, number))),
    )
  })

  it('end as errors with their own reasons, and everything else is stored once and in its order', async ({ task }) => {
    await waitFor(
      async () => {
        await world.flow.retries.drainNow()
        return (await openWork()) === 0
      },
      { what: 'nothing left to do', deadlineMs: 600_000, everyMs: 100 },
    )
    expect(patients.map((patient) => stored.get(patient))).toEqual(
      patients.map((patient) => (poisonOf(patient) === undefined ? numbers(1, messagesEach) : allButPoison)),
    )
    const ends = await world.database.many<{ end: string }>(sql`
      select concat_ws(' ', control_id, attempts, error_code, error_message) as end
      from bridge.transactions where status = 'ERROR'`)
    const reasons = patients.flatMap((patient) => {
      const controlId = `${patient}-${poisonNumber}`
      const poison = poisonOf(patient)
      if (poison === undefined) return []
      if (poison === 'a refusal') return [`${controlId} 1 REFUSED No ${controlId}`]
      return poison === 'never taken'
        ? [`${controlId} 10 STORE_UNAVAILABLE Not ${controlId} Given up after 10 attempts.`]
        : [`${controlId} 1 INTERNAL The message could not be processed because of an error of ours.`]
    })
    expect(ends.map(({ end }) => end).sort()).toEqual(reasons.sort())
    const done = await world.database.many<{ status: string; count: number }>(sql`
      select status, count(*)::int as count from bridge.transactions group by status order by status`)
    expect(done).toEqual([
      { status: 'ERROR', count: messages / 100 },
      { status: 'SUCCESS', count: (messages / 100) * 99 },
    ])
    expect([...attempts.values()].filter((count) => count > 10)).toEqual([])
    tellFigures(task, { histories: messages, lost: 0, twice: 0, seen: `${messages / 100} messages were poison` })
  }, 900_000)
})
