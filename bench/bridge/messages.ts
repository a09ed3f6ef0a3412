import { systemClock } from '../../packages/clock/clock.ts'
import { systemIds } from '../../packages/clock/ids.ts'
import { adtA08, oruR01 } from '../../packages/testkit/hl7-messages.ts'

/** People whom a Corridor knows before it is measured. */
export const knownPatients = 2_000

/** What is sent to one Corridor: no two messages have the same control id. */
export class Messages {
  #made = 0
  readonly #moves = new Map<number, number>()

  /** One of the known patients, each time in another ward, or somebody new each time. */
  admission({ isNew = false } = {}): string {
    const number = this.#made++
    const who = isNew ? number + knownPatients : number % knownPatients
    const moves = (this.#moves.get(who) ?? 0) + 1
    if (!isNew) this.#moves.set(who, moves)
    return admissionOf(who, number, moves)
  }

  /** What was said last of one of the known patients: senders say most things more than once. */
  repetition(): string {
    const number = this.#made++
    const who = number % knownPatients
    return admissionOf(who, number, this.#moves.get(who) ?? 0)
  }

  results(): string {
    const number = this.#made++
    return oruR01({ ...personOf(number % knownPatients), controlId: `B${number}` }, deps)
  }
}

const admissionOf = (who: number, number: number, moves: number): string =>
  adtA08({ ...personOf(who), controlId: `B${number}`, ward: `W${(who + moves) % 50}` }, deps)

const deps = { clock: systemClock, ids: systemIds }

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
