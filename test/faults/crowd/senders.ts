import { waitFor } from '../../../packages/testkit/wait-for.ts'
import { InsistentSender, type InsistentSenderOptions } from './insistent-sender.ts'

/** A sender for each of some patients; they begin and end together. */
export class Senders {
  /** In the order of the patients. */
  readonly each: readonly InsistentSender[]

  constructor(patients: readonly string[], optionsOf: (patient: string) => Omit<InsistentSenderOptions, 'patient'>) {
    this.each = patients.map((patient) => new InsistentSender({ ...optionsOf(patient), patient }))
  }

  start(): void {
    for (const sender of this.each) sender.start()
  }

  /** Each sees the message that it is at through. */
  async stop(): Promise<void> {
    await Promise.all(this.each.map((sender) => sender.stop()))
  }

  get patients(): readonly string[] {
    return this.each.map(({ patient }) => patient)
  }

  /** How many messages were acknowledged, of all patients. */
  get acknowledged(): number {
    return this.each.reduce((total, { acknowledged }) => total + acknowledged, 0)
  }

  /** How many were sent, those included that were sent again. */
  get sends(): number {
    return this.each.reduce((total, { sends }) => total + sends, 0)
  }

  /** Resolves when so many more are acknowledged. */
  async untilMore(count: number, { deadlineMs }: { readonly deadlineMs: number }): Promise<void> {
    const wanted = this.acknowledged + count
    await waitFor(() => this.acknowledged >= wanted, { what: `${count} more answers`, deadlineMs })
  }
}

/** `numbered('P', 3)`: P0, P1, P2. */
export const numbered = (letter: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, number) => `${letter}${number}`)
