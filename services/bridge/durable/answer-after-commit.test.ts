import { describe, expect, it } from 'vitest'
import { parseMessage } from '../../../packages/hl7/index.ts'
import { sql } from '../../../packages/sql/sql.ts'
import { failed, flowWorld, parked, sample, succeeded, type FlowWorld } from '../testing/flow-world.ts'
import type { FinishPart } from '../pipeline/finished.ts'
import type { MessageFlow } from './message-flow.ts'
import { casesOf } from '../../../packages/testkit/extent.ts'

const messages = casesOf({ daily: 200, long: 10_000 })
const flushed = casesOf({ daily: 100, long: 2_000 })

const expected: Readonly<Record<string, readonly string[]>> = {
  done: ['AA SUCCESS'],
  parked: ['AA QUEUED'],
  refused: ['AR ERROR'],
  accepted: ['CA PROCESSING', 'AA SUCCESS'],
}

/**
 * At the moment in which an answer is handed to the socket, another session asks for the message. What another session
 * sees is committed, and with `synchronous_commit` on (PostgreSQL's own default) it is on the disk.
 */
it(`hands none of ${messages} answers to the socket before what it says is committed`, async () => {
  await using world = await flowWorld({
    deps: { allowance: () => 0 },
    runStages: async ({ message }) => {
      const kind = message.getText('MSH-10')?.split('-')[0]
      return kind === 'parked' ? parked() : kind === 'refused' ? failed('AR') : succeeded()
    },
  })
  const { database, flow } = world
  const seen = new Map<string, string[]>()
  const statusOf = async (controlId: string) => {
    const row = await database.maybe<{ status: string }>(sql`
      select status from bridge.all_transactions where control_id = ${controlId}`)
    return row?.status ?? 'nothing'
  }
  const send = async (answer: Uint8Array) => {
    const ack = parseMessage(answer)
    const controlId = ack.getText('MSA-2') ?? ''
    const heard = seen.get(controlId) ?? []
    seen.set(controlId, heard)
    heard.push(`${ack.getText('MSA-1')} ${await statusOf(controlId)}`)
  }
  const peer = { address: '127.0.0.1', port: 1, certificateName: undefined }
  const kinds = Object.keys(expected)
  const receive = (number: number) => {
    const controlId = `${kinds[number % kinds.length]}-${number}`
    const modes = controlId.startsWith('accepted') ? { modes: 'AL|AL' } : {}
    const bytes = Buffer.from(sample({ controlId, patient: String(number), ...modes }))
    return flow.receive({ bytes, channel: world.channel('adt'), peer, send, markAccepted: () => {} })
  }
  for (let number = 0; number < messages; number += 200) {
    await Promise.all(Array.from({ length: 200 }, (_, more) => receive(number + more)))
  }
  for (const [controlId, heard] of seen) {
    const [kind = ''] = controlId.split('-')
    // An accept answer may be so late that its message is through by then.
    expect(heard.map((line) => line.replace('CA SUCCESS', 'CA PROCESSING'))).toEqual(expected[kind])
  }
  expect(seen.size).toBe(messages)
}, 300_000)

/** In the transaction of each end: how far the log of the database was written when it was about to commit. */
const ends: FinishPart = {
  statement: (finished) => sql`
    insert into public.ends (control_id, at)
    select m.id, pg_current_wal_insert_lsn() from unnest(${finished.map(({ controlId }) => controlId)}::text[]) as m (id)`,
  committed: () => {},
}

/** How many of these messages were answered while the database had not flushed its log up to their end. */
async function answeredTooEarly(world: FlowWorld, copy: MessageFlow, count: number): Promise<number> {
  let early = 0
  const send = async (answer: Uint8Array) => {
    const controlId = parseMessage(answer).getText('MSA-2') ?? ''
    const { isFlushed } = await world.database.one<{ isFlushed: boolean }>(sql`
      select pg_current_wal_flush_lsn() > at as "isFlushed" from public.ends where control_id = ${controlId}`)
    if (!isFlushed) early++
  }
  const peer = { address: '127.0.0.1', port: 1, certificateName: undefined }
  for (let number = 0; number < count; number++) {
    const bytes = Buffer.from(sample({ controlId: `flush-${number}`, patient: String(number) }))
    await copy.receive({ bytes, channel: world.channel('adt'), peer, send, markAccepted: () => {} })
  }
  return early
}

describe("the database's own log", () => {
  const ready = async () => {
    const world = await flowWorld({ deps: { parts: [ends] } })
    await world.database.run(sql`create table public.ends (control_id text primary key, at pg_lsn not null)`)
    return world
  }

  it('is flushed past the end of a message before its answer is handed to the socket', async () => {
    await using world = await ready()
    expect(await answeredTooEarly(world, world.flow, flushed)).toBe(0)
  }, 300_000)

  it('would show it, were commits not waited for', async () => {
    await using world = await ready()
    await world.database.run(sql`
      do $$ begin execute format('alter database %I set synchronous_commit = off', current_database()); end $$`)
    // It is for sessions that begin from now on.
    const { copy } = await world.startMortal()
    expect(await answeredTooEarly(world, copy, 100)).toBeGreaterThan(0)
  })
})
