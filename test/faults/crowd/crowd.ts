import { waitFor } from '../../../packages/testkit/wait-for.ts'
import type { RepeatedWork } from './repeated-work.ts'
import type { Senders } from './senders.ts'

interface CrowdParts {
  /** Senders of messages; each group must get on by so many before it counts as having done more. */
  readonly senders: readonly { readonly of: Senders; readonly more: number }[]
  readonly works: readonly RepeatedWork[]
}

/** Everybody who works while something breaks. */
export class Crowd {
  readonly #parts: CrowdParts

  constructor(parts: CrowdParts) {
    this.#parts = parts
  }

  start(): void {
    for (const one of this.#everybody) one.start()
  }

  /** Everybody sees what they are at through. */
  async stop(): Promise<void> {
    await Promise.all(this.#everybody.map((one) => one.stop()))
  }

  /** Who has met a fault does no more, and is not waited for: the test will tell. */
  async untilAllHaveDoneMore(): Promise<void> {
    const { senders, works } = this.#parts
    const before = works.map(({ done }) => done)
    const wanted = senders.map(({ of, more }) => of.acknowledged + more)
    const isBehind = ({ done, faults }: RepeatedWork, at: number) => faults.length === 0 && done <= (before[at] ?? 0)
    const behind = () => [
      ...senders.flatMap(({ of }, at) =>
        of.acknowledged >= (wanted[at] ?? 0) ? [] : [`the senders of ${of.patients.join()}`],
      ),
      ...works.filter(isBehind).map(({ name }) => name),
    ]
    const nobodyIsBehind = () => {
      const names = behind()
      if (names.length > 0) throw new Error(`${names.join(', ')} did not`)
      return true
    }
    await waitFor(nobodyIsBehind, { what: 'everybody to have done more', deadlineMs: 90_000 })
  }

  get faults(): string[] {
    return this.#parts.works.flatMap(({ faults }) => faults)
  }

  get rounds(): number {
    return this.#parts.works.reduce((total, { done }) => total + done, 0)
  }

  get #everybody() {
    const { senders, works } = this.#parts
    return [...senders.map(({ of }) => of), ...works]
  }
}
