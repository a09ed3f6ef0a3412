import type { Clock } from '../../../packages/clock/clock.ts'
import type { Random } from '../../../packages/clock/ids.ts'
import { unavailable } from '../../../packages/faults/fault.ts'
import type { DurableStore } from '../../../services/bridge/durable/durable-store.ts'
import { silence, someDelayMs, type Life } from './life.ts'

interface FaultyStoreDeps {
  readonly time: Clock
  readonly random: Random
  readonly life: Life
  /** Whether this copy reaches the database now. */
  readonly isReachable: () => boolean
  /** How many of a thousand calls fail although it does. */
  readonly faultsPerMille: number
}

/**
 * The tables as one copy reaches them over a connection: each call takes its time on the way there and back. It may not
 * arrive; it may arrive and its answer not, even when the caller has given it up; and a copy that dies hears nothing.
 */
export function faultyStore(tables: DurableStore, deps: FaultyStoreDeps): DurableStore {
  const call =
    <Given extends readonly unknown[], Result>(work: (...given: Given) => Promise<Result>) =>
    (...given: Given): Promise<Result> =>
      overConnection(() => work(...given), deps)
  return {
    journal: call((...given) => tables.journal(...given)),
    settle: call((...given) => tables.settle(...given)),
    endOf: call((...given) => tables.endOf(...given)),
    claimDue: call((...given) => tables.claimDue(...given)),
    makeAllDue: call((...given) => tables.makeAllDue(...given)),
    letStrandedGo: call(() => tables.letStrandedGo()),
    queueState: call(() => tables.queueState()),
    lookAhead: call((...given) => tables.lookAhead(...given)),
    addCopy: call((...given) => tables.addCopy(...given)),
    extendLease: call((...given) => tables.extendLease(...given)),
    copiesAt: call((...given) => tables.copiesAt(...given)),
    takeOver: call((...given) => tables.takeOver(...given)),
    unknownWork: call((...given) => tables.unknownWork(...given)),
    release: call((...given) => tables.release(...given)),
  }
}

async function overConnection<Result>(work: () => Promise<Result>, deps: FaultyStoreDeps): Promise<Result> {
  const { time, random, life, isReachable, faultsPerMille } = deps
  if (life.isOver) return silence()
  const fault = random.below(1_000) < faultsPerMille ? faults[random.below(faults.length)] : undefined
  await time.sleep(someDelayMs(random, { usual: 8, longest: 400 }))
  // What a dying copy had sent may still be committed.
  if (life.isOver && random.below(2) === 0) return silence()
  if (fault === 'not arrived' || !isReachable()) return lost(life)
  if (fault === 'late') {
    void time
      .sleep(random.below(1_500))
      .then(work)
      .catch(() => {})
    return lost(life)
  }
  const result = work()
  await Promise.all([result.catch(() => {}), time.sleep(someDelayMs(random, { usual: 8, longest: 400 }))])
  if (life.isOver) return silence()
  if (fault === 'not heard' || !isReachable()) return lost(life)
  return result
}

const faults = ['not arrived', 'not heard', 'late'] as const

async function lost(life: Life): Promise<never> {
  if (life.isOver) return silence()
  throw unavailable('The database gave no answer.')
}
