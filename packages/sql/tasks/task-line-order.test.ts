import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemIds } from '../../clock/ids.ts'
import { SimulatedClock } from '../../clock/simulated-clock.ts'
import { silentLog } from '../../log/log.ts'
import type { Database } from '../database.ts'
import { Outbox } from './outbox.ts'
import { sql } from '../sql.ts'
import { TaskLine } from './task-line.ts'
import type { ClaimedTask } from './task.ts'
import { kitDatabase, type KitDatabase } from '../testing/kit-database.ts'
import { casesOf } from '../../testkit/extent.ts'

let server: KitDatabase
beforeAll(async () => {
  server = await kitDatabase()
  await server.database.run(sql`
    create table public.told (number serial primary key, patient text not null, n integer not null, unique (patient, n))`)
})
afterAll(() => server.drop())

interface Event {
  readonly patient: string
  readonly n: number
}
type Held = readonly ClaimedTask<readonly Event[]>[]

const leaseMs = 60_000
const line = { queue: 'events', key: 'all' }

/** Two copies that write and work, one step after the other, with transactions open between the steps. */
class World {
  readonly clock = new SimulatedClock()
  readonly #database: Database
  readonly #outbox: Outbox
  readonly #copies: readonly TaskLine<readonly Event[]>[]
  readonly #held = new Map<number, Held>()
  readonly #open: { readonly events: readonly Event[]; readonly end: (commits: boolean) => Promise<void> }[] = []
  readonly #next = new Map<string, number>()
  /** A completion that is not committed, and the claims that may have to wait for it. */
  #completing: { readonly commit: () => Promise<void> } | undefined
  readonly #claiming: Promise<void>[] = []

  constructor(database: Database) {
    this.#database = database
    const deps = { database, clock: this.clock, log: silentLog }
    // The clocks of two copies may differ: ids say nothing about order.
    this.#outbox = new Outbox({ ...deps, ids: { ...systemIds, timeUuid: () => systemIds.uuid() } })
    this.#copies = [0, 1].map(() => new TaskLine('outbox', { ...line, bytesMax: 400 }, deps))
  }

  get expected(): ReadonlyMap<string, number> {
    return this.#next
  }

  /** The next message of a patient is not begun before the end of the one before is durable. */
  async begin(patients: readonly string[]): Promise<void> {
    const busy = new Set(this.#open.flatMap(({ events }) => events.map(({ patient }) => patient)))
    const free = patients.filter((patient) => !busy.has(patient))
    if (free.length === 0 || this.#open.length === 3) return
    const events = free.map((patient) => ({ patient, n: this.#next.get(patient) ?? 0 }))
    const end = await this.#leftOpen(async (tx) => {
      await this.#outbox.enqueue(tx, { topic: line.queue, key: line.key, payload: events })
    })
    this.#open.push({ events, end })
  }

  async end(index: number, commits: boolean): Promise<void> {
    const [one] = this.#open.splice(index % Math.max(1, this.#open.length), 1)
    if (one === undefined) return
    await one.end(commits)
    if (commits) for (const { patient, n } of one.events) this.#next.set(patient, n + 1)
  }

  async claim(copy: number, limit: number): Promise<void> {
    if (this.#held.has(copy)) return
    const claiming = (async () => {
      const { tasks } = (await this.#copies[copy]?.claim({ limit, leaseMs })) ?? { tasks: [] }
      if (tasks.length > 0) this.#held.set(copy, tasks)
    })()
    if (this.#completing === undefined) return claiming
    this.#held.set(copy, [])
    this.#claiming.push(claiming.then(() => void (this.#held.get(copy)?.length === 0 && this.#held.delete(copy))))
  }

  /** The effect and the removal, left open; whoever has lost the line rolls back. */
  async complete(copy: number): Promise<void> {
    const tasks = this.#take(copy)
    if (tasks === undefined || this.#completing !== undefined) return
    const events = tasks.flatMap(({ payload }) => payload)
    let isOurs = false
    const end = await this.#leftOpen(async (tx) => {
      isOurs = (await this.#copies[copy]?.complete(tx, tasks)) ?? false
      if (!isOurs) return
      await tx.run(sql`insert into public.told (patient, n)
        select * from unnest(${events.map(({ patient }) => patient)}::text[], ${events.map(({ n }) => n)}::integer[])`)
    })
    this.#completing = { commit: () => end(isOurs) }
  }

  async settle(): Promise<void> {
    await this.#completing?.commit()
    this.#completing = undefined
    await Promise.all(this.#claiming.splice(0))
  }

  /** All of it without anybody in between. */
  async work(copy: number, limit: number): Promise<void> {
    await this.claim(copy, limit)
    await this.complete(copy)
    await this.settle()
  }

  async giveBack(copy: number): Promise<void> {
    const tasks = this.#take(copy)
    if (tasks !== undefined && this.#completing === undefined) await this.#copies[copy]?.giveBack(tasks)
  }

  crash(copy: number): void {
    this.#take(copy)
  }

  async drain(): Promise<void> {
    await this.settle()
    while (this.#open.length > 0) await this.end(0, true)
    await this.clock.advance(leaseMs)
    for (const copy of [0, 1]) this.crash(copy)
    for (;;) {
      await this.claim(0, 3)
      if (!this.#held.has(0)) return
      await this.complete(0)
      await this.settle()
    }
  }

  #take(copy: number): Held | undefined {
    const tasks = this.#held.get(copy)
    if (tasks === undefined || tasks.length === 0) return undefined
    this.#held.delete(copy)
    return tasks
  }

  async #leftOpen(work: Parameters<Database['transaction']>[0]): Promise<(commits: boolean) => Promise<void>> {
    const done = Promise.withResolvers<void>()
    const gate = Promise.withResolvers<boolean>()
    const rolledBack = new Error('rolled back')
    const ended = this.#database
      .transaction(async (tx) => {
        await work(tx)
        done.resolve()
        if (!(await gate.promise)) throw rolledBack
      })
      .catch((thrown: unknown) => {
        done.reject(thrown)
        if (thrown !== rolledBack) throw thrown
      })
    await Promise.race([done.promise, ended])
    return (commits) => (gate.resolve(commits), ended)
  }
}

type Step = (world: World) => Promise<void> | void

const copy = fc.nat({ max: 1 })
const patients = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 3 })
const limit = fc.integer({ min: 1, max: 4 })
const steps: readonly fc.WeightedArbitrary<Step>[] = [
  { weight: 6, arbitrary: patients.map((some) => (world) => world.begin(some)) },
  { weight: 4, arbitrary: fc.nat({ max: 2 }).map((index) => (world) => world.end(index, true)) },
  { weight: 1, arbitrary: fc.nat({ max: 2 }).map((index) => (world) => world.end(index, false)) },
  {
    weight: 3,
    arbitrary: fc.tuple(copy, limit).map(
      ([one, most]) =>
        (world) =>
          world.work(one, most),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(copy, limit).map(
      ([one, most]) =>
        (world) =>
          world.claim(one, most),
    ),
  },
  { weight: 2, arbitrary: copy.map((one) => (world) => world.complete(one)) },
  { weight: 2, arbitrary: fc.constant((world) => world.settle()) },
  { weight: 1, arbitrary: copy.map((one) => (world) => world.giveBack(one)) },
  { weight: 1, arbitrary: copy.map((one) => (world) => world.crash(one)) },
  { weight: 1, arbitrary: fc.constant((world) => world.clock.advance(leaseMs)) },
]

it('tells every event once and those of a patient in their order, however copies commit, work, fail and die', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(...steps), { minLength: 30, maxLength: 120, size: 'max' }), async (taken) => {
      const { database } = server
      await database.run(sql`truncate kit.outbox, kit.lines, public.told`)
      const world = new World(database)
      for (const take of taken) await take(world)
      await world.drain()
      const told = await database.many<Event>(sql`select patient, n from public.told order by number`)
      const byPatient = Map.groupBy(told, ({ patient }) => patient)
      for (const [patient, count] of world.expected) {
        expect(byPatient.get(patient)?.map(({ n }) => n)).toEqual(Array.from({ length: count }, (_, n) => n))
      }
      expect(await database.many(sql`select 1 from kit.outbox`)).toEqual([])
    }),
    { numRuns: casesOf({ daily: 20, long: 100, night: 300 }) },
  )
}, 600_000)
