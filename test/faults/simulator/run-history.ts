import { SimulatedClock } from '../../../packages/clock/simulated-clock.ts'
import { seededRandom, type Random } from '../../../packages/clock/ids.ts'
import type { DurableStore } from '../../../services/bridge/durable/durable-store.ts'
import { sample } from '../../../services/bridge/testing/flow-world.ts'
import { MemoryDurableStore } from '../../../services/bridge/testing/memory-durable-store.ts'
import { SimulatedCopy } from './simulated-copy.ts'
import { SimulatedFhir } from './simulated-fhir.ts'

interface History {
  /** What should not have been; empty when all promises were kept. */
  readonly faults: readonly string[]
  readonly messages: number
  readonly kills: number
  /** The same for the same seed. */
  readonly trace: string
}

/**
 * One world from its seed to its end: senders, copies that die and come back, a database and a store that fail.
 * @param spoil changes what the tables do, to see whether anybody notices
 */
export function runHistory(seed: number, spoil: Spoil = (tables) => tables): Promise<History> {
  return new World(seed, spoil).run()
}

export type Spoil = (tables: DurableStore) => DurableStore

const patients = 3
const messagesEach = 5
const troubles = 8
const limitMs = 3_600_000

class World {
  readonly #random: Random
  readonly #time = new SimulatedClock()
  readonly #tables = new MemoryDurableStore(this.#time)
  readonly #spoiled: DurableStore
  readonly #fhir: SimulatedFhir
  readonly #faultsPerMille: number
  readonly #copies: SimulatedCopy[] = []
  readonly #acknowledged = new Map<string, number>()
  readonly #faults: string[] = []
  readonly #trace: string[] = []
  #isDatabaseUp = true
  #started = 0
  #kills = 0
  #isDone = false

  constructor(seed: number, spoil: Spoil) {
    this.#random = seededRandom(seed)
    this.#spoiled = spoil(this.#tables)
    this.#fhir = new SimulatedFhir(this.#time, this.#random)
    this.#faultsPerMille = this.#random.below(3) === 0 ? 0 : this.#random.below(60)
  }

  async run(): Promise<History> {
    const story = this.#story().then(() => (this.#isDone = true))
    for (let passedMs = 0; passedMs < limitMs; passedMs += 1_000) {
      await this.#time.advance(1_000)
      if (this.#isDone || this.#faults.length > 0) break
    }
    if (this.#isDone) await story
    else if (this.#faults.length === 0) this.#faults.push(`not at its end after an hour: ${this.#leftOver()}`)
    for (const copy of this.#copies) copy.life.end()
    this.#check()
    const messages = [...this.#acknowledged.values()].reduce((sum, count) => sum + count, 0)
    return { faults: this.#faults, messages, kills: this.#kills, trace: this.#trace.join('\n') }
  }

  #leftOver(): string {
    const rows = this.#tables.openWork.map(({ lane, ticket, copy, dueMs, runs }) => {
      const name = copy === null ? 'parked' : copy.slice(0, 4)
      return `${lane.slice(0, 4)} ${ticket} ${name} due ${dueMs} run ${runs}`
    })
    return `${this.#living.length} of ${this.#copies.length} copies alive; ${rows.join('; ')}`
  }

  async #story(): Promise<void> {
    const copies = 1 + this.#random.below(3)
    await Promise.all(Array.from({ length: copies }, () => this.#startCopy()))
    const senders = Array.from({ length: patients }, (_, number) => this.#sender(`P${number}`))
    const nemesis = this.#trouble()
    await Promise.all([...senders, nemesis])
    while (this.#tables.openWork.length > 0) await this.#time.sleep(500)
  }

  async #startCopy(): Promise<void> {
    const copy = new SimulatedCopy(this.#started++, {
      ...{ time: this.#time, random: this.#random, tables: this.#spoiled, fhir: this.#fhir },
      ...{ isDatabaseUp: () => this.#isDatabaseUp, faultsPerMille: this.#faultsPerMille },
      onAnswer: (controlId, code) => this.#answered(controlId, code),
    })
    this.#copies.push(copy)
    await copy.start()
  }

  get #living(): readonly SimulatedCopy[] {
    return this.#copies.filter(({ life }) => !life.isOver)
  }

  /** Each message until it is acknowledged; sometimes on two connections at once. */
  async #sender(patient: string): Promise<void> {
    for (let number = 1; number <= messagesEach;) {
      const controlId = `${patient}-${number}`
      const text = this.#messageOf(patient, controlId)
      if (this.#random.below(4) === 0) void this.#send(text)
      if ((await this.#send(text)) === 'AA') {
        this.#acknowledged.set(patient, number++)
      } else {
        await this.#time.sleep(20 + this.#random.below(500))
      }
    }
  }

  /** The third of each patient is a merge, which holds the lanes of two. */
  #messageOf(patient: string, controlId: string): string {
    const isMerge = Number(controlId.split('-')[1]) % 4 === 3
    const other = `P${(Number(patient.slice(1)) + 1) % patients}`
    return isMerge
      ? sample({ controlId, patient, type: 'ADT^A40', rest: `MRG|${other}^^^CENTRAL^MR\r` })
      : sample({ controlId, patient })
  }

  async #send(text: string): Promise<string | undefined> {
    const { length } = this.#living
    const copy = length === 0 ? undefined : this.#living[this.#random.below(length)]
    return copy?.receive(text)
  }

  async #trouble(): Promise<void> {
    for (let count = 0; count < troubles; count++) {
      await this.#time.sleep(this.#random.below(3_000))
      await this.#troubles[this.#random.below(this.#troubles.length)]?.()
    }
  }

  readonly #troubles: readonly (() => Promise<void>)[] = [
    () => this.#kill(),
    () => this.#kill(),
    () => this.#stop(),
    () => this.#during(5_000, (is) => (this.#isDatabaseUp = !is)),
    () => this.#during(30_000, (is) => (this.#fhir.isDown = is)),
    () => this.#during(20_000, (is) => (this.#fhir.isSlow = is)),
    async () => {
      const copy = this.#anyLiving()
      if (copy !== undefined) await this.#during(20_000, (is) => (copy.isCutOff = is))
    },
    async () => this.#anyLiving()?.clock.jump(this.#random.below(120_000) - 60_000),
  ]

  #anyLiving(): SimulatedCopy | undefined {
    const { length } = this.#living
    return length === 0 ? undefined : this.#living[this.#random.below(length)]
  }

  async #kill(): Promise<void> {
    const copy = this.#anyLiving()
    if (copy === undefined) return
    copy.life.end()
    this.#kills++
    this.#note('kill')
    await this.#time.sleep(this.#random.below(4_000))
    void this.#startCopy()
  }

  async #stop(): Promise<void> {
    const copy = this.#anyLiving()
    if (copy === undefined) return
    await copy.stop()
    this.#note('stop')
    void this.#startCopy()
  }

  /** Begins now and ends by itself; meanwhile other things may happen. */
  async #during(atMostMs: number, set: (is: boolean) => void): Promise<void> {
    set(true)
    void this.#time.sleep(this.#random.below(atMostMs)).then(() => set(false))
  }

  /** Nobody is told AA before that is durable. */
  #answered(controlId: string, code: string): void {
    this.#note(`${controlId} ${code}`)
    if (code !== 'AA') return
    const ends = [...this.#tables.ends.values()].filter((end) => end.controlId === controlId)
    const isTaken = ends.some(({ status }) => status === 'SUCCESS' || status === 'QUEUED')
    if (!isTaken && !this.#wasGivenUp(controlId))
      this.#faults.push(`${controlId}: AA, but the log has ${ends.map(({ status }) => status).join(' ')}`)
  }

  /** It was acknowledged as queued, the store was asked for it as often as the rule says, and it is kept. */
  #wasGivenUp(controlId: string): boolean {
    const ends = [...this.#tables.ends.values()].filter((end) => end.controlId === controlId)
    return ends.some(({ status, attempts }) => status === 'ERROR' && attempts === 10)
  }

  #note(what: string): void {
    this.#trace.push(`${this.#time.monotonicMs()} ${what}`)
  }

  #check(): void {
    for (const [patient, acknowledged] of this.#acknowledged) {
      const numbers = this.#fhir.patients.get(patient)?.numbers ?? []
      const isInOrder = numbers.every((number, index) => index === 0 || number > (numbers[index - 1] ?? 0))
      const wanted = Array.from({ length: acknowledged }, (_, index) => index + 1)
      const missing = wanted.filter((number) => !numbers.includes(number) && !this.#wasGivenUp(`${patient}-${number}`))
      if (isInOrder && missing.length === 0) continue
      this.#faults.push(`${patient}: 1 to ${acknowledged} acknowledged, the store was changed by ${numbers.join()}`)
    }
    const ends = [...this.#tables.ends.values()]
    this.#checkTold(new Set(ends.flatMap(({ told }) => told)))
    for (const [controlId, own] of Map.groupBy(ends, (end) => end.controlId)) {
      const done = own.filter(({ status }) => status === 'SUCCESS')
      if (done.length > 1) this.#faults.push(`${controlId}: done ${done.length} times`)
      const most = Math.max(...own.map(({ attempts }) => attempts))
      if (most > 10) this.#faults.push(`${controlId}: ${most} attempts`)
    }
  }

  /** Whatever an acknowledged message has stored, somebody is told of, whichever of its runs it was. */
  #checkTold(told: ReadonlySet<string>): void {
    for (const [patient, acknowledged] of this.#acknowledged) {
      for (const [index, number] of (this.#fhir.patients.get(patient)?.numbers ?? []).entries()) {
        const isOpen = number > acknowledged || this.#wasGivenUp(`${patient}-${number}`)
        if (!isOpen && !told.has(`Patient/${patient}/${index + 1}`))
          this.#faults.push(`${patient}-${number}: stored, and nobody was told`)
      }
    }
  }
}
