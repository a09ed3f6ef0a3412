import type { Clock } from '../../../packages/clock/clock.ts'
import type { Database, Transaction } from '../../../packages/sql/database.ts'
import { asFarAsPossible } from '../../../packages/sql/tasks/as-far-as-possible.ts'
import type { Outbox, OutboxWorker } from '../../../packages/sql/tasks/outbox.ts'
import { isRefusal } from '../../../packages/sql/tasks/outside.ts'
import type { FhirStore } from '../../../ports/fhir-store/fhir-store.ts'
import { derivedId } from '../derived-id.ts'
import type { FiredRule } from './cds-rules.ts'
import { decisionSupport } from './decision-support.ts'
import { addCards } from './store/coordination.ts'

export const decisionSupportTopic = 'bridge.decision-support'

interface DecisionSupportDeps {
  readonly outbox: Outbox
  readonly database: Database
  readonly clock: Clock
  readonly fhirStore: FhirStore
}

interface PlannedLook {
  readonly patients: readonly string[]
}

/** All of a task are asked for their prescriptions in one search; few enough for a slow store to be done in time. */
const patientsAtOnce = 20

export async function planDecisionSupport(
  tx: Transaction,
  patients: readonly string[],
  { outbox }: Pick<DecisionSupportDeps, 'outbox'>,
): Promise<void> {
  if (patients.length === 0) return
  const count = Math.ceil(patients.length / patientsAtOnce)
  const parts = Array.from({ length: count }, (_, at) => patients.slice(at * patientsAtOnce, (at + 1) * patientsAtOnce))
  await outbox.enqueue(tx, ...parts.map((some) => ({ topic: decisionSupportTopic, payload: { patients: some } })))
}

/** Evaluates the rules for patients of whom something was written. Its own queue: no search stands in an alert's way. */
export function supportDecisions({
  outbox,
  database,
  clock,
  fhirStore,
}: DecisionSupportDeps): OutboxWorker<PlannedLook> {
  return outbox.deliver<PlannedLook>({
    topics: [decisionSupportTopic],
    ...{ concurrency: 2, pollMs: 5_000 },
    // With the longest wait of five minutes these are some days: a card is late rather than lost.
    attemptsMax: 1_000,
    isPermanent: isRefusal,
    handle: ({ payload: { patients } }, signal) =>
      asFarAsPossible(patients, async (some) => {
        const fired = await decisionSupport(some, fhirStore, { signal })
        const now = clock.now()
        await addCards(
          [...fired].flatMap(([patient, rules]) => rules.map((rule) => cardOf(patient, rule, now))),
          database,
        )
      }),
  })
}

const cardOf = (patient: string, { rule, observation, card }: FiredRule, createdAt: Date) => ({
  id: derivedId('card', rule, observation.id ?? '', observation.meta?.versionId ?? ''),
  ...{ patient, rule, card, createdAt, resource: `Observation/${observation.id}` },
})
