import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemClock } from '../../../packages/clock/clock.ts'
import { seededRandom, type Random } from '../../../packages/clock/ids.ts'
import { faultOf } from '../../../packages/faults/fault.ts'
import type { Database } from '../../../packages/sql/database.ts'
import { sql } from '../../../packages/sql/sql.ts'
import { thisProcess } from '../../../packages/sql/tasks/this-process.ts'
import { nameUuid } from '../mapping/name-uuid.ts'
import type { Outcome } from '../pipeline/outcome.ts'
import { openBridgeDatabase } from '../testing/bridge-database.ts'
import { failed, parked, succeeded } from '../testing/flow-world.ts'
import { MemoryDurableStore } from '../testing/memory-durable-store.ts'
import type { Claimed } from './claims.ts'
import type { DurableStore } from './durable-store.ts'
import type { Entry } from './journal-statements.ts'
import { contentHash } from '../pipeline/seen-key.ts'
import type { Settling } from './settling.ts'
import { sqlDurableStore } from './sql-durable-store.ts'
import { casesOf } from '../../../packages/testkit/extent.ts'

const seeds = casesOf({ daily: 8, long: 200 })
const steps = 60
const dayMs = 86_400_000

let own: Awaited<ReturnType<typeof openBridgeDatabase>>
let database: Database
beforeAll(async () => {
  own = await openBridgeDatabase()
  database = own.database
})
afterAll(() => own.close())

/** The simulator is worth as much as its tables are like the real ones. */
it(`is the same in memory as in PostgreSQL, over ${seeds} times ${steps} random calls`, async () => {
  for (let seed = 0; seed < seeds; seed++) {
    await database.run(sql`truncate bridge.seen, bridge.lanes, bridge.raw_messages, bridge.open_work, bridge.transactions,
      bridge.answers, bridge.attempts, bridge.copies, bridge.channel_counts`)
    const memory = new MemoryDurableStore(systemClock)
    const pair = new Pair(sqlDurableStore(database), memory, seededRandom(seed))
    for (let step = 0; step < steps; step++) {
      const what = `seed ${seed}, step ${step}: ${await pair.step()}`
      expect(pair.differences, what).toEqual([])
      expect(await openRows(), what).toEqual(memory.openWork.map(rowText))
    }
  }
})

const openRows = async () =>
  (
    await database.many<{ line: string }>(sql`
      select concat_ws(' ', lane, ticket, transaction_id, coalesce(copy, '-'), is_main,
        case when due_at = 'infinity' then 'Infinity' when due_at = '-infinity' then '-Infinity'
             else coalesce((extract(epoch from due_at) * 1000)::bigint::text, 'null') end, attempt, runs) as line
      from bridge.open_work order by lane, ticket`)
  ).map(({ line }) => line)

const rowText = (row: MemoryDurableStore['openWork'][number]) =>
  `${row.lane} ${row.ticket} ${row.transactionId} ${row.copy ?? '-'} ${row.isMain ? 't' : 'f'} ${row.dueMs} ${row.attempt} ${row.runs}`

/** Does the same to both, and demands the same answer. */
class Pair {
  readonly #stores: readonly [DurableStore, DurableStore]
  readonly #random: Random
  readonly #entries = new Map<string, Entry>()
  readonly #held: Claimed[] = []
  /** Where the one answered other than the other. */
  readonly differences: string[] = []
  #nowMs = Date.parse('2026-03-04T10:00:00Z')
  #count = 0

  constructor(real: DurableStore, memory: DurableStore, random: Random) {
    this.#stores = [real, memory]
    this.#random = random
  }

  /** Gives the name of what was done. */
  async step(): Promise<string> {
    this.#nowMs += this.#random.below(1_000)
    const names = Object.keys(this.#calls)
    const name = names[this.#random.below(names.length)] ?? ''
    await this.#calls[name]?.()
    return name
  }

  get #now(): Date {
    return new Date(this.#nowMs)
  }

  #copy = () => `copy-${this.#random.below(3)}`

  readonly #calls: Readonly<Record<string, () => Promise<void>>> = {
    journal: () => this.#journal(),
    'journal again': () => this.#journal(),
    settle: () => this.#settle(),
    'settle again': () => this.#settle(),
    claimDue: () => this.#claim(),
    makeAllDue: async () => void (await this.#both((store) => store.makeAllDue(this.#now))),
    letStrandedGo: async () => void (await this.#both((store) => store.letStrandedGo())),
    queueState: async () => void (await this.#both((store) => store.queueState())),
    lookAhead: async () => {
      const ids = [...this.#entries.keys()].slice(-5)
      await this.#both(async (store) => sorted(await store.lookAhead(ids)))
    },
    addCopy: async () => {
      const copy = this.#copy()
      if (await this.#both((store) => store.extendLease(copy, dayMs))) return
      await this.#both((store) => store.addCopy(copy, thisProcess(), dayMs))
    },
    takeOver: async () => {
      const gone = [this.#copy()]
      await this.#both((store) => store.takeOver(gone))
    },
    release: async () => {
      const copy = this.#copy()
      const known = this.#held.filter(() => this.#random.below(2) === 0).map(({ transactionId }) => transactionId)
      const works = await this.#both(async (store) => sorted(await store.unknownWork(copy, known)))
      const meant = works.map(({ transactionId, run }) => ({ transactionId, run: run + this.#random.below(2) }))
      await this.#both((store) => store.release(copy, meant))
    },
    endOf: async () => {
      for (const id of [...this.#entries.keys()].slice(-3)) await this.#both((store) => store.endOf(id))
    },
  }

  /** A few messages, some under a key that was there before; each with none to two of four patients. */
  async #journal(): Promise<void> {
    const copy = this.#copy()
    const keys = new Set(Array.from({ length: 1 + this.#random.below(3) }, () => this.#random.below(12)))
    const entries = [...keys].map((key) => this.#entry(key))
    const options = { copy, now: this.#now, windowMs: this.#random.below(20) === 0 ? 0 : dayMs }
    const { seen, places } = await this.#both(async (store) => {
      const rows = await store.journal(entries, options)
      return {
        seen: sorted(rows.seen.map((row) => ({ ...row, seenMs: 0, isRefused: false }))),
        places: sorted(rows.places),
      }
    })
    for (const entry of entries) {
      if (!seen.some(({ transactionId }) => transactionId === entry.transactionId)) continue
      this.#entries.set(entry.transactionId, entry)
      const mine = places.filter(({ transactionId }) => transactionId === entry.transactionId)
      const held = mine.map(({ lane, ticket }) => ({ lane, ticket: Number(ticket) }))
      this.#held.push({ ...claimedOf(entry), places: held, copy } as Claimed)
    }
  }

  #entry(key: number): Entry {
    const lanes = [1, 2, 3, 4].filter(() => this.#random.below(3) === 0).slice(0, 2)
    const bytes = Buffer.from(`message ${key}`)
    return {
      transactionId: `20260304-${String(this.#count++).padStart(4, '0')}`,
      channelId: 'adt',
      header: {
        ...{
          messageType: 'ADT^A08',
          controlId: `C${key}`,
          sendingApplication: '',
          sendingFacility: '',
          operator: undefined,
        },
        ...{ receivingApplication: '', receivingFacility: '' },
      },
      ...{ facility: 'CENTRAL', key: contentHash(bytes), content: contentHash(bytes), patientKeys: [], peer: '' },
      ...{
        lanes: lanes.map((lane) => nameUuid(`lane ${lane}`)).sort(),
        receivedAt: this.#now,
        bytes,
        attemptLimit: 10,
      },
    }
  }

  async #claim(): Promise<void> {
    const copy = this.#copy()
    const claimed = await this.#both(async (store) =>
      sorted((await store.claimDue(copy, 100, this.#now)).map((one) => ({ ...one, places: sorted(one.places) }))),
    )
    for (const one of claimed) this.#held.push({ ...one, copy } as Claimed)
  }

  /** Ends something that somebody holds, or believes to hold. */
  async #settle(): Promise<void> {
    const held = this.#held[this.#random.below(Math.max(1, this.#held.length))] as
      | (Claimed & { copy: string })
      | undefined
    const entry = this.#entries.get(held?.transactionId ?? '')
    if (held === undefined || entry === undefined) return
    const outcome =
      [succeeded(), failed('AE'), parked(), parked({ wasCalled: false })][this.#random.below(4)] ?? succeeded()
    const item = this.#settling(held, entry, outcome)
    await this.#both((store) => store.settle([item], [], { now: this.#now, batch: 0 }))
  }

  #settling(held: Claimed & { readonly copy: string }, entry: Entry, outcome: Outcome): Settling {
    const park =
      outcome.status === 'QUEUED' ? { dueAt: new Date(this.#nowMs + 2_000), attempt: held.attempt + 1 } : undefined
    const ack = held.run === 1 ? Buffer.from('ack') : undefined
    return {
      finished: {
        ...{ ...entry.header, transactionId: entry.transactionId, channelId: 'adt', peer: '', outcome },
        ...{ receivedAt: entry.receivedAt, finishedAt: this.#now, attempt: held.attempt, ackCode: ack && 'AA' },
      },
      ...{ channelId: 'adt', facility: '', patientKeys: [], byteLength: 1, parent: held.parent, raw: undefined, ack },
      work: { copy: held.copy, places: held.places, key: entry.key, run: held.run, wasParked: held.run > 1, park },
      isFirstEnd: held.status === undefined,
    }
  }

  async #both<Result>(work: (store: DurableStore) => Promise<Result>): Promise<Result> {
    const [real, memory] = this.#stores
    const answers = [await settledOf(work(real)), await settledOf(work(memory))]
    const [realText, memoryText] = answers.map(plain)
    if (realText !== memoryText) this.differences.push(`${memoryText} instead of ${realText}`)
    // Sound: whoever uses the answer has asked for something that does not throw.
    return answers[0] as Result
  }
}

const claimedOf = ({ transactionId, channelId, bytes, peer, receivedAt, attemptLimit }: Entry) => ({
  ...{ transactionId, channelId, raw: Buffer.from(bytes), peer, receivedAt, attemptLimit, attempt: 1, run: 1 },
  ...{
    parent: undefined,
    status: undefined,
    wasEnded: false,
    hasSucceeded: false,
    wasAccepted: false,
    runsWithoutEnd: 1,
    termsVersion: '0',
  },
})

const settledOf = (work: Promise<unknown>) => work.catch((thrown: unknown) => faultOf(thrown).code)

/** Without what only one of them tells. */
const plain = (answer: unknown): string =>
  JSON.stringify(answer ?? null, (name, value: unknown) => (onlyInMemory.has(name) ? undefined : ordered(value)))

const onlyInMemory = new Set(['controlId', 'errorCode', 'calls', 'told', 'endedRun', 'seenMs', 'isRefused'])

const ordered = (value: unknown): unknown =>
  value === null || typeof value !== 'object' || Array.isArray(value)
    ? value
    : Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))

const sorted = <Row>(rows: readonly Row[]): Row[] => {
  const text = (row: Row) => plain(row)
  return rows.toSorted((a, b) => (text(a) < text(b) ? -1 : 1))
}
