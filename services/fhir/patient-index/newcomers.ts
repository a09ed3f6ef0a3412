import type { Transaction } from '../../../packages/sql/queryable.ts'
import { reviewsOf, type Doubt, type ReviewsDeps } from './doubt.ts'
import { goldenRecord } from './golden/golden-record.ts'
import { indexed } from './index-patients.ts'
import type { PatientRecords } from './patient-records.ts'
import type { Person } from './person.ts'
import type { Candidate } from './rank.ts'
import { savingPeople } from './store/people.ts'
import { openingReviews } from './store/reviews.ts'

interface Newcomer extends Doubt {
  readonly person: Person
  readonly keys: readonly string[]
}

export interface WelcomeDeps extends ReviewsDeps {
  readonly records: PatientRecords
}

/** Those of a batch whom nobody knows: found by those behind them in the batch as if they were in the index already. */
export class Newcomers {
  readonly #byGoldenId = new Map<string, Newcomer>()
  readonly #byKey = new Map<string, Candidate[]>()
  readonly #doubts = new Map<string, Doubt>()

  add(newcomer: Newcomer): void {
    const { goldenId, keys, person } = newcomer
    this.#byGoldenId.set(goldenId, newcomer)
    const candidate = { patientId: goldenId, goldenId, person }
    for (const key of keys) this.#byKey.set(key, [...(this.#byKey.get(key) ?? []), candidate])
  }

  /** About people who are known: it is written down with what is new, once, whichever way round. */
  doubt(doubt: Doubt): void {
    const pair = [doubt.goldenId, ...doubt.matches.map(({ goldenId }) => goldenId)].sort().join(' ')
    if (!this.#doubts.has(pair)) this.#doubts.set(pair, doubt)
  }

  sharing(keys: readonly string[]): ReadonlySet<Candidate> {
    return new Set(keys.flatMap((key) => this.#byKey.get(key) ?? []))
  }

  /**
   * Gives each a golden record, and ends the transaction. Until the record itself is written, the golden record stands for
   * it in the index, so that the next one finds it.
   */
  async welcome(
    tx: Transaction,
    { records, assumesNew, ...deps }: WelcomeDeps & { readonly assumesNew: boolean },
  ): Promise<void> {
    const all = [...this.#byGoldenId.values()]
    const there = assumesNew ? new Map<string, unknown>() : await records.read([...this.#byGoldenId.keys()], tx)
    const absent = all.filter(({ goldenId }) => !there.has(goldenId))
    const reviews = openingReviews(reviewsOf([...all, ...this.#doubts.values()], deps))
    if (absent.length === 0) return void (await tx.commitWith(reviews))
    const people = absent.map(({ person, goldenId }) =>
      indexed(person, { patientId: goldenId, goldenId, isProvisional: true, wasGolden: false }),
    )
    const golden = absent.map(({ goldenId }) => goldenRecord(goldenId))
    await records.write(golden, tx, { areNew: assumesNew, commitWith: [savingPeople(people), ...reviews] })
  }
}
