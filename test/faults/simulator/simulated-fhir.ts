import type { Clock } from '../../../packages/clock/clock.ts'
import type { Random } from '../../../packages/clock/ids.ts'
import { conflict, faultOf, unavailable } from '../../../packages/faults/fault.ts'
import { CircuitBreaker, circuitOpenCode } from '../../../services/bridge/breakers/circuit-breaker.ts'
import type { Outcome } from '../../../services/bridge/pipeline/outcome.ts'
import type { Received } from '../../../services/bridge/pipeline/received.ts'
import { failed, parked, succeeded } from '../../../services/bridge/testing/flow-world.ts'
import { silence, someDelayMs, type Life } from './life.ts'

interface StoredPatient {
  version: number
  /** The numbers of the messages that changed it, in that order. */
  readonly numbers: number[]
}

/**
 * The FHIR store with one resource a patient, which a message sets to its number. Written as PERSIST writes: read, join,
 * write if nobody wrote meanwhile, and what is there already is not written again.
 */
export class SimulatedFhir {
  isDown = false
  isSlow = false
  readonly patients = new Map<string, StoredPatient>()
  readonly #time: Clock
  readonly #random: Random

  constructor(time: Clock, random: Random) {
    this.#time = time
    this.#random = random
  }

  async read(patient: string): Promise<StoredPatient> {
    await this.#answers()
    return this.patients.get(patient) ?? { version: 0, numbers: [] }
  }

  /** @param version of what was read, which must still be there; 0: nothing was, and nothing may be */
  async write(patient: string, number: number, version: number): Promise<void> {
    await this.#answers()
    const stored = this.patients.get(patient) ?? { version: 0, numbers: [] }
    if (stored.version !== version) throw conflict('Somebody else wrote it.')
    this.patients.set(patient, stored)
    stored.version++
    stored.numbers.push(number)
    // It has written, and nobody hears of it.
    if (this.#random.below(100) === 0) throw unavailable('The answer came too late.')
    await this.#answers()
  }

  async #answers(): Promise<void> {
    await this.#time.sleep(someDelayMs(this.#random, this.isSlow ? { usual: 3_000, longest: 20_000 } : quick))
    if (this.isDown || this.#random.below(200) === 0) throw unavailable('The store does not answer.')
  }
}

const quick = { usual: 10, longest: 1_000 }

/** One copy's stages 2 to 5: consent that sometimes cannot be asked, and the store behind a circuit breaker. */
export function simulatedStages(
  fhir: SimulatedFhir,
  deps: { readonly clock: Clock; readonly random: Random; readonly life: Life },
) {
  const { clock, random, life } = deps
  const breaker = new CircuitBreaker('fhir-server', { clock })
  const runStages = async (received: Received): Promise<Outcome> => {
    const { message, signal, run, wasRefused } = received
    const [patient = '', number = ''] = (message.getText('MSH-10') ?? '').split('-')
    await clock.sleep(random.below(20))
    if (random.below(50) === 0) return { ...failed('AE'), errorCode: 'CONSENT_UNAVAILABLE' }
    if (isPoison(patient, Number(number))) return parked()
    try {
      const { version, isNew } = await persist(patient, Number(number), signal)
      const isTold = isNew || run > 1 || wasRefused
      const written = { reference: `Patient/${patient}`, type: 'Patient', versionId: String(version) } as const
      return succeeded({ resources: isTold ? [{ ...written, operation: 'update' }] : [] })
    } catch (thrown) {
      return parked({ wasCalled: faultOf(thrown).code !== circuitOpenCode })
    }
  }
  /** What a dead copy has asked may happen; it never hears of it. */
  const heard = async <T>(answer: Promise<T>): Promise<T> => {
    await answer.catch(() => {})
    return life.isOver ? silence() : answer
  }
  const persist = async (patient: string, number: number, signal: AbortSignal) => {
    for (let tries = 1; ; tries++) {
      const { version, numbers } = await breaker.call(() => heard(fhir.read(patient)))
      if (numbers.at(-1) === number) return { version, isNew: false }
      signal.throwIfAborted()
      try {
        await breaker.call(() => heard(fhir.write(patient, number, version)))
        return { version: version + 1, isNew: true }
      } catch (thrown) {
        if (tries === 4 || faultOf(thrown).kind !== 'conflict') throw thrown
      }
    }
  }
  return { runStages, breaker }
}

/** Messages that the store never takes, however often it is asked. */
const isPoison = (patient: string, number: number): boolean => patient === 'P0' && number === 2
