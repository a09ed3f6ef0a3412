import { systemClock } from '../../packages/clock/clock.ts'
import { systemIds } from '../../packages/clock/ids.ts'
import { adtA08, oruR01 } from '../../packages/testkit/hl7-messages.ts'

/** People whom a Corridor knows before it is measured. */
export const knownPatients = 2_000

/** What is sent to one Corridor: no two messages have the same control id. */
export class Messages {
  #made = 0

  /** One of the known patients again and again, or somebody new each time. */
  admission({ isNew = false } = {}): string {
    const number = this.#made++
    const who = isNew ? number + knownPatients : number % knownPatients
    // What changes is the ward: the patient stays the same, the visit goes on.
    return adtA08({ ...personOf(who), controlId: `B${number}`, ward: `W${number % 50}` }, deps)
  }

  results(): string {
    const number = this.#made++
    return oruR01({ ...personOf(number % knownPatients), controlId: `B${number}` }, deps)
  }
}

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
