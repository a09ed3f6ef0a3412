import { LRUCache } from 'lru-cache'
import type { Clock } from '../../../packages/clock/clock.ts'
import type { Queryable } from '../../../packages/sql/database.ts'
import { subjectOfClient } from '../../../packages/tokens/service-caller.ts'
import { addSightings, forgetSightings, raiseAlerts, type Sighting } from '../store/sightings.ts'

interface EnumerationRule {
  readonly windowMs: number
  /** More different patients than this in one window raise an alert. */
  readonly patientsMax: number
  /** Clients who ask about everybody because that is their work: they are not counted. */
  readonly exemptClients: readonly string[]
}

/** Callers whose windows are held in memory; the database knows the rest. */
const callersMax = 10_000

/**
 * Counts the different patients that each caller asks about, over all copies together: each writes down what it sees
 * first, up to the number that raises the alert, and the database counts.
 */
export class EnumerationWatch {
  readonly #rule: EnumerationRule
  readonly #exempt: ReadonlySet<string>
  readonly #database: Queryable
  readonly #clock: Clock
  readonly #seen = new LRUCache<string, Set<string>>({ max: callersMax })
  #windowStartMs = 0
  #forgottenMs = 0
  #pending: Sighting[] = []

  constructor(rule: EnumerationRule, { database, clock }: { readonly database: Queryable; readonly clock: Clock }) {
    this.#rule = rule
    this.#exempt = new Set(rule.exemptClients.map(subjectOfClient))
    this.#database = database
    this.#clock = clock
  }

  see(caller: string, patientId: string): void {
    if (this.#exempt.has(caller)) return
    this.#turnWindow()
    const seen = this.#seen.get(caller) ?? new Set<string>()
    this.#seen.set(caller, seen)
    if (seen.has(patientId) || seen.size > this.#rule.patientsMax) return
    seen.add(patientId)
    this.#pending.push({ caller, patientId, windowStart: new Date(this.#windowStartMs) })
  }

  /** Writes down what is new and answers with the callers that now stand out, each once a window. */
  async look(): Promise<{ readonly caller: string; readonly patients: number }[]> {
    if (this.#pending.length === 0) return []
    const sightings = this.#pending
    this.#pending = []
    try {
      // First: what was raised is told, whatever else fails.
      await this.#forget()
      await addSightings(sightings, this.#database)
      const rule = { patientsMax: this.#rule.patientsMax, now: this.#clock.now() }
      return await raiseAlerts(sightings, rule, this.#database)
    } catch (thrown) {
      // Whoever is over the number is not written down again: with these goes the alert. Written twice they count once.
      this.#pending = [...sightings.filter(({ windowStart }) => this.#isKept(windowStart)), ...this.#pending]
      throw thrown
    }
  }

  #turnWindow(): void {
    const { windowMs } = this.#rule
    const startMs = Math.floor(this.#clock.now().getTime() / windowMs) * windowMs
    if (startMs === this.#windowStartMs) return
    this.#windowStartMs = startMs
    this.#seen.clear()
  }

  /** Once a window. */
  async #forget(): Promise<void> {
    if (this.#forgottenMs === this.#windowStartMs) return
    this.#forgottenMs = this.#windowStartMs
    await forgetSightings(this.#keptSince, this.#database)
  }

  #isKept(windowStart: Date): boolean {
    return windowStart >= this.#keptSince
  }

  /** The window before this one is kept for copies whose clocks lag a little. */
  get #keptSince(): Date {
    return new Date(this.#windowStartMs - this.#rule.windowMs)
  }
}
