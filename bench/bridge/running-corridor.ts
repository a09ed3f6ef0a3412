import { systemClock } from '../../packages/clock/clock.ts'
import { systemIds } from '../../packages/clock/ids.ts'
import { variableOf } from '../../packages/config/schema.ts'
import { ownPlace, startCommand, type OwnPlace } from '../../packages/testkit/corridor-command.ts'
import { adtA08, oruR01 } from '../../packages/testkit/hl7-messages.ts'
import { openHl7Sender, type Hl7Sender } from '../../packages/testkit/hl7-sender.ts'

/** A whole Corridor as `npm start` runs it, in a process of its own, and people who send to it. */
export class RunningCorridor implements AsyncDisposable {
  readonly #stack: AsyncDisposableStack
  readonly #place: OwnPlace
  #sent = 0

  private constructor(stack: AsyncDisposableStack, place: OwnPlace) {
    this.#stack = stack
    this.#place = place
  }

  static async start(): Promise<RunningCorridor> {
    await using stack = new AsyncDisposableStack()
    const place = stack.use(await ownPlace({ 'log.level': 'error', ...manyConnections }))
    const child = stack.use(await startCommand(['start', '--demo'], place))
    await child.waitForLine(/Corridor is ready/, { deadlineMs: 120_000 })
    return new RunningCorridor(stack.move(), place)
  }

  /** The address of one of its services. */
  url(service: 'auth' | 'bridge'): string {
    return `http://localhost:${this.#place.environment[variableOf(`${service}.port`)]}`
  }

  /** Messages over so many connections, each with one message at a time, as hospitals' engines send. */
  async senders(channel: 'adt' | 'oru', count: number): Promise<readonly Hl7Sender[]> {
    const first = Number(this.#place.environment[variableOf('bridge.mllpPort')])
    const port = first + (channel === 'adt' ? 0 : 1)
    return Promise.all(Array.from({ length: count }, () => openHl7Sender({ host: '127.0.0.1', port })))
  }

  /** So that the measured messages are about people who are there. */
  async admitKnownPatients(): Promise<void> {
    const senders = await this.senders('adt', 16)
    await Promise.all(
      senders.map(async (sender) => {
        for (let done = 0; done < knownPatients / senders.length; done++) {
          await sender.send(this.admission({ isNew: false }))
        }
        await sender.close()
      }),
    )
  }

  /** One of the known patients again and again, or somebody new each time. */
  admission({ isNew }: { readonly isNew: boolean }): string {
    const number = this.#sent++
    const who = isNew ? number + knownPatients : number % knownPatients
    // What changes is the ward: the patient stays the same, the visit goes on.
    return adtA08({ ...personOf(who), controlId: `B${number}`, ward: `W${number % 50}` }, deps)
  }

  results(): string {
    const number = this.#sent++
    return oruR01({ ...personOf(number % knownPatients), controlId: `B${number}` }, deps)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack.disposeAsync()
  }
}

/** Connections of the last variant may still be closing when the next one opens its own. */
const manyConnections = { 'bridge.channels.adt.maxConnections': '300', 'bridge.channels.oru.maxConnections': '300' }

const deps = { clock: systemClock, ids: systemIds }
export const knownPatients = 2_000

/** People who are unlike each other, so that the patient index has its ordinary work. */
const personOf = (number: number) => ({
  patientId: String(1_000_000 + number),
  visitNumber: `V${number}`,
  familyName: letters(number * 7_919),
  givenName: letters(number * 104_729),
  birthDate: String(19_300_101 + (number % 80) * 10_000 + (number % 12) * 100 + (number % 28)),
  phone: `+2348${String(number * 31).padStart(9, '0')}`,
})

const letters = (number: number): string =>
  Array.from(String(number + 1_000_003), (digit) => String.fromCharCode(65 + Number(digit) * 2)).join('')
