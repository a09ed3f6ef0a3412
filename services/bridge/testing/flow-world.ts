import { systemClock, type Clock } from '../../../packages/clock/clock.ts'
import { systemIds, systemRandom } from '../../../packages/clock/ids.ts'
import { parseMessage, type Message } from '../../../packages/hl7/index.ts'
import { failureAnswer } from '../../../packages/hl7/mllp/failure-answer.ts'
import { silentLog } from '../../../packages/log/log.ts'
import { Metrics } from '../../../packages/metrics/metrics.ts'
import { openDatabase, type Database } from '../../../packages/sql/database.ts'
import { defaultFlowOptions, MessageFlow, type FlowDeps, type FlowOptions } from '../durable/message-flow.ts'
import { answerPlan } from '../pipeline/7-ack.ts'
import { channelIds, type Channel, type ChannelId } from '../pipeline/channel.ts'
import type { Failed, Outcome, Parked, Succeeded } from '../pipeline/outcome.ts'
import type { Received } from '../pipeline/received.ts'
import type { TestDatabase } from '../../../packages/testkit/test-database.ts'
import { bridgeDatabase } from './bridge-database.ts'
import { testChannel } from './test-channels.ts'

interface FlowWorldOptions {
  readonly runStages?: (received: Received) => Promise<Outcome>
  readonly channels?: Partial<Record<ChannelId, Partial<Channel>>>
  readonly clock?: Clock
  readonly flow?: Partial<FlowOptions>
  readonly deps?: Partial<FlowDeps>
}

/** The flow of messages on a database of its own, with a function in the place of the stages 2 to 5. */
export async function flowWorld(options: FlowWorldOptions = {}): Promise<FlowWorld> {
  const fresh = await bridgeDatabase()
  const database = await openDatabase({ url: fresh.url, poolMax: 6, log: silentLog })
  const world = new FlowWorld(database, fresh, options)
  await world.start()
  return world
}

export class FlowWorld implements AsyncDisposable {
  readonly database: Database
  readonly #options: FlowWorldOptions
  readonly #own: TestDatabase
  readonly #dead: MessageFlow[] = []
  readonly copies: MessageFlow[] = []

  constructor(database: Database, own: TestDatabase, options: FlowWorldOptions) {
    this.database = database
    this.#own = own
    this.#options = options
  }

  get flow(): MessageFlow {
    // Sound: start() made the first one before anybody could ask.
    return this.copies[0] as MessageFlow
  }

  /** Another copy on the same database. */
  async start(changes: Partial<FlowDeps> = {}): Promise<MessageFlow> {
    const copy = await this.#begin(changes)
    this.copies.push(copy)
    return copy
  }

  /** Another copy, and its death: from then on nothing of it reaches the database, as after kill -9. */
  async startMortal(changes: Partial<FlowDeps> = {}): Promise<{ copy: MessageFlow; die: () => Promise<void> }> {
    // What waits for a connection when it dies is told so only then.
    const patience = { connectTimeoutMs: 10_000 }
    const database = await openDatabase({ url: this.#own.url, poolMax: 4, ...patience, log: silentLog })
    const copy = await this.#begin({ ...changes, database })
    this.#dead.push(copy)
    return { copy, die: () => database.close() }
  }

  async #begin(changes: Partial<FlowDeps>): Promise<MessageFlow> {
    const { runStages = async () => succeeded(), clock = systemClock, flow = {}, deps = {} } = this.#options
    const copy = new MessageFlow(
      // A clock that somebody winds up by hand would let nobody gather.
      { ...defaultFlowOptions, gatherMs: 0, ...flow },
      {
        ...{ database: this.database, clock, ids: systemIds, random: systemRandom, log: silentLog },
        ...{ metrics: new Metrics(), channelOf: (id: ChannelId) => this.channel(id), runStages, parts: [] },
        ...{ allowance: () => Number.POSITIVE_INFINITY, passBoundary: () => {}, ...deps, ...changes },
      },
    )
    await copy.start()
    return copy
  }

  channel(id: ChannelId): Channel {
    return testChannel(id, this.#options.channels?.[id])
  }

  /** Sends as a connection would, and gives all the answers. A failure is answered as the listener does it. */
  async send(text: string | Uint8Array, options: SendOptions = {}): Promise<Message[]> {
    const { channel: id = channelOf(text), copy = this.flow, certificateName } = options
    const bytes = typeof text === 'string' ? Buffer.from(text) : text
    const answers: Message[] = []
    let isAccepted = false
    const markAccepted = () => {
      isAccepted = true
    }
    const send = async (answer: Uint8Array) => {
      markAccepted()
      answers.push(parseMessage(answer))
    }
    const peer = { address: '127.0.0.1', port: 1, certificateName }
    const channel = this.channel(id)
    try {
      await copy.receive({ bytes, channel, peer, send, markAccepted })
    } catch (failure) {
      const wanted = (message: Message | undefined) => answerPlan(message, channel.ackMode)
      const failed = { bytes, failure, wanted, isAccepted }
      const answer = failureAnswer(failed, { clock: systemClock, ids: systemIds })
      if (answer !== undefined) answers.push(parseMessage(answer))
    }
    return answers
  }

  /** The only answer: its code and text. */
  async code(text: string | Uint8Array, options: SendOptions = {}): Promise<string> {
    return (await this.send(text, options)).map((answer) => answerText(answer)).join(', ')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([
      ...this.copies.map((copy) => copy.stop(5_000)),
      ...this.#dead.map((copy) => copy.stop(0)), // only its timers are left
    ])
    await this.database.close()
    await this.#own.drop()
  }
}

interface SendOptions {
  readonly channel?: ChannelId
  readonly copy?: MessageFlow
  readonly certificateName?: string
}

const answerText = (answer: Message) => {
  const text = answer.getText('MSA-3')
  return `${answer.getText('MSA-1')}${text === undefined ? '' : ` ${text}`}`
}

/** By the type, where it can be read. */
function channelOf(text: string | Uint8Array): ChannelId {
  const type = /^MSH.{5}(?:[^|]*\|){7}([A-Z]{3})/.exec(Buffer.from(text).toString('latin1'))?.[1]?.toLowerCase()
  return channelIds.find((id) => id === type) ?? 'adt'
}

export const succeeded = (changes: Partial<Succeeded> = {}): Succeeded => ({
  status: 'SUCCESS',
  stage: 'PERSIST',
  stageMs: { ENRICH: 1, PERSIST: 2 },
  resources: [{ reference: 'Patient/1', type: 'Patient', versionId: '1', operation: 'create' }],
  warnings: {},
  unmapped: [],
  isStale: false,
  ...changes,
})

const nothingKnown = { stageMs: {}, resources: [], warnings: {}, unmapped: [], isStale: false } as const

export const failed = (code: 'AE' | 'AR'): Failed => ({
  ...{ ...nothingKnown, status: 'ERROR', stage: 'GOVERN', code, errorCode: 'CONSENT_DENIED', errorMessage: 'No' },
  issues: [],
})

/** The store was called in vain, or not at all. */
export const parked = (changes: Partial<Parked> = {}): Parked => ({
  ...{ ...nothingKnown, status: 'QUEUED', stage: 'PERSIST', errorCode: 'STORE_UNAVAILABLE' },
  errorMessage: 'The data store cannot be reached.',
  wasCalled: true,
  ...changes,
})

interface SampleFields {
  readonly controlId: string
  readonly patient?: string
  readonly facility?: string
  readonly application?: string
  readonly type?: string
  readonly rest?: string
  readonly modes?: string
}

/** A small message. `modes` are MSH-15 and MSH-16: `AL|NE`. */
export function sample({ controlId, ...fields }: SampleFields): string {
  const { patient = '1', facility = 'CENTRAL', application = 'HIS', type = 'ADT^A08', rest = '', modes } = fields
  const tail = modes === undefined ? '' : `|||${modes}`
  return `MSH|^~\\&|${application}|${facility}|HUB|CORRIDOR|20260304||${type}|${controlId}|P|2.5.1${tail}\rPID|1||${patient}^^^${facility}^MR||DOE^JANE\r${rest}`
}
