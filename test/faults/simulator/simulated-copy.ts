import type { SimulatedClock } from '../../../packages/clock/simulated-clock.ts'
import { seededIds, type Random } from '../../../packages/clock/ids.ts'
import { parseMessage } from '../../../packages/hl7/index.ts'
import { failureAnswer } from '../../../packages/hl7/mllp/failure-answer.ts'
import { silentLog } from '../../../packages/log/log.ts'
import { Metrics } from '../../../packages/metrics/metrics.ts'
import type { Database } from '../../../packages/sql/database.ts'
import type { DurableStore } from '../../../services/bridge/durable/durable-store.ts'
import { defaultFlowOptions, MessageFlow } from '../../../services/bridge/durable/message-flow.ts'
import type { Channel } from '../../../services/bridge/pipeline/channel.ts'
import { testChannel } from '../../../services/bridge/testing/test-channels.ts'
import { faultyStore } from './faulty-store.ts'
import { silence, Life, MortalClock } from './life.ts'
import { simulatedStages, type SimulatedFhir } from './simulated-fhir.ts'

interface SimulatedCopyDeps {
  readonly time: SimulatedClock
  readonly random: Random
  readonly tables: DurableStore
  readonly fhir: SimulatedFhir
  readonly isDatabaseUp: () => boolean
  readonly faultsPerMille: number
  /** Told when an answer is handed to the socket. */
  readonly onAnswer: (controlId: string, code: string) => void
}

/** A copy of the bridge as it is, with a database, a store and a clock that are not. */
export class SimulatedCopy {
  readonly life = new Life()
  readonly clock: MortalClock
  /** Cut off from the database, though not from the store. */
  isCutOff = false
  readonly #flow: MessageFlow
  readonly #deps: SimulatedCopyDeps

  constructor(number: number, deps: SimulatedCopyDeps) {
    const { time, random, tables, fhir, faultsPerMille } = deps
    this.#deps = deps
    this.clock = new MortalClock(time, this.life)
    const { runStages, breaker } = simulatedStages(fhir, { clock: this.clock, random, life: this.life })
    const isReachable = () => deps.isDatabaseUp() && !this.isCutOff
    this.#flow = new MessageFlow(
      { ...defaultFlowOptions, retryConcurrency: 8 },
      {
        ...{ clock: this.clock, ids: seededIds(random, time), random, log: silentLog, metrics: new Metrics() },
        ...{ database: noDatabase, channelOf: () => channel, runStages, parts: [], passBoundary: () => {} },
        durable: faultyStore(tables, { time, random, life: this.life, isReachable, faultsPerMille }),
        allowance: () => (breaker.state === 'CLOSED' ? Number.POSITIVE_INFINITY : breaker.state === 'OPEN' ? 0 : 3),
        process: { place: `machine ${number % 2}`, pid: number, startedAt: time.now(), isAlive: () => true },
      },
    )
  }

  /** It tries until the database lets it. */
  async start(): Promise<void> {
    for (;;) {
      try {
        return await this.#flow.start()
      } catch {
        await this.clock.sleep(200)
      }
    }
  }

  /** The codes that a sender hears on its connection; undefined when the copy dies meanwhile. */
  async receive(text: string): Promise<string | undefined> {
    const bytes = Buffer.from(text)
    let code: string | undefined
    const send = async (answer: Uint8Array) => {
      if (this.life.isOver) await silence()
      code = this.#heard(answer)
      await this.clock.sleep(this.#deps.random.below(5))
    }
    const peer = { address: '127.0.0.1', port: 1, certificateName: undefined }
    const incoming = { bytes, channel, peer, send, markAccepted: () => {} }
    const answered = this.#flow.receive(incoming).catch((failure: unknown) => {
      const ids = seededIds(this.#deps.random, this.clock)
      const answer = failureAnswer({ bytes, failure }, { clock: this.clock, ids })
      if (answer !== undefined) code = this.#heard(answer)
    })
    await Promise.race([answered, this.life.ended])
    return this.life.isOver ? undefined : code
  }

  /** As a stop signal does it. */
  async stop(): Promise<void> {
    this.#flow.beginStop()
    await this.#flow.stop(3_000)
    this.life.end()
  }

  #heard(answer: Uint8Array): string {
    const message = parseMessage(answer)
    const code = message.getText('MSA-1') ?? ''
    this.#deps.onAnswer(message.getText('MSA-2') ?? '', code)
    return code
  }
}

const channel: Channel = testChannel('adt', { retry: { maxAttempts: 10, baseMs: 200, maxMs: 2_000, multiplier: 2 } })

/** Nothing of the flow may reach past its store. */
const noDatabase = new Proxy({} as Database, {
  get: (_, name) => {
    throw new Error(`the simulator has no database (${String(name)})`)
  },
})
