import type { Clock } from '../../../packages/clock/clock.ts'
import type { Ids } from '../../../packages/clock/ids.ts'
import type { Transaction } from '../../../packages/sql/queryable.ts'
import { goldenRecord } from './golden/golden-record.ts'
import { indexed } from './index-patients.ts'
import type { PatientRecords } from './patient-records.ts'
import type { Person } from './person.ts'
import type { Candidate, Match } from './rank.ts'
import { savingPeople } from './store/people.ts'
import { openingReviews, type NewReview } from './store/reviews.ts'

export interface Doubt {
  readonly goldenId: string
  /** Those whom they may be, but not for certain. */
  readonly matches: readonly Match[]
}

interface Newcomer extends Doubt {
  readonly person: Person
  readonly keys: readonly string[]
}

export interface WelcomeDeps {
  readonly records: PatientRecords
  readonly clock: Clock
  readonly ids: Ids
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
    { records, clock, ids, assumesNew }: WelcomeDeps & { readonly assumesNew: boolean },
  ): Promise<void> {
    const all = [...this.#byGoldenId.values()]
    const there = assumesNew ? new Map<string, unknown>() : await records.read([...this.#byGoldenId.keys()], tx)
    const absent = all.filter(({ goldenId }) => !there.has(goldenId))
    const now = clock.now()
    const reviews = openingReviews([...all, ...this.#doubts.values()].flatMap((doubt) => reviewsOf(doubt, now, ids)))
    if (absent.length === 0) return void (await tx.commitWith(reviews))
    const people = absent.map(({ person, goldenId }) =>
      indexed(person, { patientId: goldenId, goldenId, isProvisional: true, wasGolden: false }),
    )
    const golden = absent.map(({ goldenId }) => goldenRecord(goldenId))
    await records.write(golden, tx, { areNew: assumesNew, commitWith: [savingPeople(people), ...reviews] })
  }
}

/** One a person that it may be; the best few, for somebody has to look at them. */
function reviewsOf({ goldenId, matches }: Doubt, createdAt: Date, ids: Ids): NewReview[] {
  const best = new Map(matches.toReversed().map((match) => [match.goldenId, match]))
  return [...best.values()]
    .filter((match) => match.goldenId !== goldenId)
    .sort((one, other) => other.probability - one.probability)
    .slice(0, reviewsMax)
    .map((match) => ({
      id: ids.timeUuid(),
      goldenId,
      candidateGoldenId: match.goldenId,
      candidatePatientId: match.patientId,
      probability: match.probability,
      grade: match.grade,
      comparisons: match.comparisons.map(({ field, agreement }) => ({ field, agreement })),
      createdAt,
    }))
}

const reviewsMax = 5
