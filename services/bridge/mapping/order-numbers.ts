import type { Identifier } from '../../../packages/fhir/r4.ts'

/** Which orders of a message have which numbers, so that a message of thousands is not searched for each of them. */
export class OrderNumbers {
  readonly #holders = new Map<string, Set<string>>()
  readonly #numbers = new Map<string, readonly string[]>()

  /** The numbers of the order that is written under this `fullUrl`, in the place of those that it had. */
  set(fullUrl: string, identifiers: readonly Identifier[]): void {
    for (const earlier of this.#numbers.get(fullUrl) ?? []) this.#holders.get(earlier)?.delete(fullUrl)
    const numbers = identifiers.map(numberOf)
    this.#numbers.set(fullUrl, numbers)
    for (const number of numbers) {
      const holders = this.#holders.get(number)
      if (holders === undefined) this.#holders.set(number, new Set([fullUrl]))
      else holders.add(fullUrl)
    }
  }

  /** Whether an order other than this one has the number. */
  isTaken(identifier: Identifier, fullUrl: string): boolean {
    const holders = this.#holders.get(numberOf(identifier))
    return holders !== undefined && holders.size > (holders.has(fullUrl) ? 1 : 0)
  }
}

const numberOf = ({ system = '', value = '' }: Identifier): string => `${system}|${value}`
