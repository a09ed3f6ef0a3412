import { systemClock } from '../../../packages/clock/clock.ts'
import { sql } from '../../../packages/sql/sql.ts'
import { pass, type FaultMode } from '../../../packages/testkit/fault-modes.ts'
import { waitFor } from '../../../packages/testkit/wait-for.ts'
import { newName } from '../crowd/numbered-messages.ts'
import { numbered, Senders } from '../crowd/senders.ts'
import type { FaultFigures } from '../findings/fault-figures.ts'
import type { Fates } from '../findings/message-fates.ts'
import { storedNumbers } from './corridor-place.ts'
import { proxiedCorridor, type ProxiedCorridor } from './proxied-corridor.ts'

export async function troubledStore(settings: Readonly<Record<string, string>>): Promise<TroubledStore> {
  return new TroubledStore(await proxiedCorridor('fhir', settings))
}

/** A Corridor whose store is in trouble again and again while messages come. */
export class TroubledStore implements AsyncDisposable {
  readonly #place: ProxiedCorridor
  readonly #senders: Senders

  constructor(place: ProxiedCorridor) {
    const { port } = place.corridor.configuration.bridge.channels.adt
    this.#place = place
    this.#senders = new Senders(numbered('K', 4), () => ({ port: () => port, messageOf: newName }))
    this.#senders.start()
  }

  /** Resolves when the trouble is over and every sender has heard of more messages since. */
  async suffer(mode: FaultMode, ms: number): Promise<void> {
    await this.#place.proxy.set(mode)
    await systemClock.sleep(ms)
    await this.#place.proxy.set(pass)
    // The tests' server has no autovacuum; without statistics each message costs the store half as much again.
    await this.#place.database.run(sql`analyze`)
    const before = this.#senders.each.map(({ acknowledged }) => acknowledged)
    const haveGoneOn = () => this.#senders.each.every(({ acknowledged }, index) => acknowledged > (before[index] ?? 0))
    await waitFor(haveGoneOn, { what: 'messages to go on', deadlineMs: 120_000, everyMs: 50 })
  }

  async endSending(): Promise<void> {
    await this.#senders.stop()
  }

  /** What became of all messages once nothing is left to do; what was parked is done one patient after the other. */
  async fates(): Promise<Pick<Fates, 'faults'> & { readonly figures: FaultFigures }> {
    const { database } = this.#place
    await this.endSending()
    const open = async () =>
      (await database.one<{ count: number }>(sql`select count(*)::int as count from bridge.open_work`)).count
    const [parked, beganMs] = [await open(), systemClock.monotonicMs()]
    await waitFor(async () => (await open()) === 0, { what: 'nothing left to do', deadlineMs: 600_000, everyMs: 100 })
    const seconds = ((systemClock.monotonicMs() - beganMs) / 1_000).toFixed(1)
    const { faults, figures } = await storedNumbers(this.#senders, database)
    const seen = `${parked} messages that a store in trouble left were done in ${seconds} s`
    return { faults, figures: { ...figures, seen } }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.endSending()
    await this.#place[Symbol.asyncDispose]()
  }
}
