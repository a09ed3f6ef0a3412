import { systemClock } from '../../../packages/clock/clock.ts'
import { openHl7Sender, type Hl7Sender } from '../../../packages/testkit/hl7-sender.ts'

export interface InsistentSenderOptions {
  /** Where to send; asked again before each connection. */
  readonly port: () => number
  readonly patient: string
  /** What it says; the patient's name with the message's number unless said. */
  readonly messageOf?: (patient: string, controlId: string) => string
  /** After so many it connects anew, as engines do that keep no connection. */
  readonly messagesPerConnection?: number
}

/**
 * Sends numbered messages of one patient, each until it is acknowledged, as a hospital's engine does: after a broken
 * connection, a NACK or a missing answer it sends the same message again.
 */
export class InsistentSender {
  readonly #options: InsistentSenderOptions
  readonly #stopping = new AbortController()
  /** The number of the last message that was answered with AA. */
  acknowledged = 0
  sends = 0
  /** Answers that named another message than the one that was sent. */
  readonly wrongAnswers: string[] = []
  #running: Promise<void> | undefined

  constructor(options: InsistentSenderOptions) {
    this.#options = options
  }

  get patient(): string {
    return this.#options.patient
  }

  start(): void {
    this.#running ??= this.#run()
  }

  /** Sees the message that it is at through, and ends. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#running
  }

  async #run(): Promise<void> {
    let sender: Hl7Sender | undefined
    while (!this.#stopping.signal.aborted || this.#isUnsure) {
      try {
        sender ??= await openHl7Sender({ host: '127.0.0.1', port: this.#options.port() })
        await this.#sendNext(sender)
        if (this.sends % (this.#options.messagesPerConnection ?? Number.POSITIVE_INFINITY) === 0) {
          await sender.close()
          sender = undefined
        }
      } catch {
        // Gone in the middle of it: whether the message arrived is not known, so it is sent again.
        await sender?.[Symbol.asyncDispose]()
        sender = undefined
        await systemClock.sleep(this.#restMs())
      }
    }
    await sender?.[Symbol.asyncDispose]()
  }

  #isUnsure = false
  #goneSinceMs: number | undefined

  /** A tenth of the time that nobody has answered: a start of seconds is not made longer by hundreds of tries. */
  #restMs(): number {
    const nowMs = systemClock.monotonicMs()
    this.#goneSinceMs ??= nowMs
    return Math.min(Math.max(reconnectMs, (nowMs - this.#goneSinceMs) / 10), reconnectMsMax)
  }

  async #sendNext(sender: Hl7Sender): Promise<void> {
    const { patient, messageOf = newName } = this.#options
    const number = this.acknowledged + 1
    const controlId = `${patient}-${number}`
    this.#isUnsure = true
    this.sends++
    const answer = await sender.send(messageOf(patient, controlId), { deadlineMs: 40_000 })
    this.#goneSinceMs = undefined
    if (answer.controlId !== controlId) this.wrongAnswers.push(`${controlId}: ${answer.controlId}`)
    if (answer.ackCode === 'AA') {
      this.acknowledged = number
      this.#isUnsure = false
    } else {
      await systemClock.sleep(reconnectMs)
    }
  }
}

const reconnectMs = 20
const reconnectMsMax = 200

const newName = (patient: string, controlId: string): string =>
  `MSH|^~\\&|HIS|CENTRAL|HUB|CORRIDOR|20260304||ADT^A08|${controlId}|P|2.5.1\rPID|1||${patient}^^^CENTRAL^MR||DOE^N${controlId.split('-')[1]}||19800101|F\r`
