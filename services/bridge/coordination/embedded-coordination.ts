import type { MedicationRequest, Observation } from '../../../packages/fhir/r4.ts'
import type { Transaction } from '../../../packages/sql/database.ts'
import type { Coordination, PostWriteEvent } from '../../../ports/coordination/coordination.ts'
import type { CallOptions, FhirStore } from '../../../ports/fhir-store/fhir-store.ts'
import type { ResourceMatching } from '../../../ports/resource-matching/resource-matching.ts'
import { derivedId } from '../outbound/derived-id.ts'
import { isCritical } from '../outbound/post-write.ts'
import { firedRules, isWatchedDrug, isWatchedResult, watchedResults, type FiredRule } from './cds-rules.ts'
import { nextLook, planLook, type EscalationDeps } from './escalate-alerts.ts'
import { raiseAlert } from './store/alerts.ts'
import { addCard, forgetSummaries, staleSections, takeEvents } from './store/coordination.ts'

export interface EmbeddedCoordinationDeps extends EscalationDeps {
  readonly fhirStore: FhirStore
  readonly matching: ResourceMatching
}

/**
 * The clinical coordination service of a bridge that has no other: it invalidates patient summaries, evaluates a few
 * published decision-support rules, and raises alerts for critical results.
 */
export function embeddedCoordination(deps: EmbeddedCoordinationDeps): Coordination {
  const { database, clock } = deps
  return {
    async postWrite(events, call = {}) {
      const about = events.flatMap((event) => (event.patient === null ? [] : [{ event, patient: event.patient }]))
      const watched = await watchedResources(events, deps, call)
      const seen: Seen[] = []
      for (const { event, patient } of about) {
        const written = watched.get(event) ?? []
        const fired = await decisionSupport(patient, written, deps, call)
        seen.push({ event, patient, fired, critical: written.filter(isCritical) })
      }
      await database.transaction(
        async (tx) => {
          const now = clock.now()
          const taken = await takeEvents(
            events.map(({ eventId }) => eventId),
            now,
            tx,
          )
          const fresh = seen.filter(({ event }) => taken.has(event.eventId))
          const merges = fresh.filter(({ event }) => event.flags.merge)
          if (merges.length > 0) await forgetSummaries(merges.flatMap(patientsOf), tx)
          await staleSections(oncePerPatient(fresh), tx)
          for (const one of fresh) await writeDown(one, now, tx, deps)
        },
        { plans: 'kept' },
      )
    },
  }
}

/** What came of one event. */
interface Seen {
  readonly event: PostWriteEvent
  readonly patient: string
  readonly fired: readonly FiredRule[]
  readonly critical: readonly Watched[]
}

async function writeDown(
  { event, patient, fired, critical }: Seen,
  now: Date,
  tx: Transaction,
  deps: EmbeddedCoordinationDeps,
): Promise<void> {
  for (const one of fired) await addCard(cardOf(patient, one, now), tx)
  for (const { id = '', meta } of critical) {
    const alertId = derivedId('alert', id, meta?.versionId ?? '')
    const escalateAt = nextLook(0, deps)
    const about = { id: alertId, patient, resource: `Observation/${id}`, transactionId: event.transactionId }
    const isNew = await raiseAlert({ ...about, raisedAt: now, escalateAt: escalateAt ?? null }, tx)
    if (isNew && escalateAt !== undefined) await planLook(tx, alertId, escalateAt, deps)
  }
}

const oncePerPatient = (seen: readonly Seen[]) => [
  ...new Map(seen.map(({ event, patient }) => [patient, { patient, sections: event.sections }])).values(),
]

type Watched = Observation | MedicationRequest

/** Of all events in one call. */
async function watchedResources(
  events: readonly PostWriteEvent[],
  { matching }: EmbeddedCoordinationDeps,
  call: CallOptions,
): Promise<ReadonlyMap<PostWriteEvent, readonly Watched[]>> {
  const wanted = events.flatMap((event) =>
    event.resources
      .filter(
        ({ type, operation }) => operation !== 'delete' && (type === 'Observation' || type === 'MedicationRequest'),
      )
      .map(({ reference, type, versionId }) => ({
        event,
        version: { type, id: reference.slice(type.length + 1), version: versionId ?? undefined },
      })),
  )
  const versions = wanted.map(({ version }) => version)
  const found = versions.length === 0 ? [] : await matching.readVersions(versions, call)
  const byEvent = new Map<PostWriteEvent, Watched[]>()
  for (const [index, { event }] of wanted.entries()) {
    // Sound: only these two types were asked for.
    const resource = found[index] as Watched | undefined
    if (resource !== undefined) byEvent.set(event, [...(byEvent.get(event) ?? []), resource])
  }
  return byEvent
}

/** Looks at the whole patient only where something was written that a rule is about. */
async function decisionSupport(
  patient: string,
  written: readonly Watched[],
  { fhirStore }: EmbeddedCoordinationDeps,
  call: CallOptions,
): Promise<readonly FiredRule[]> {
  const isWatched = written.some((one) =>
    one.resourceType === 'Observation' ? isWatchedResult(one) : isWatchedDrug(one),
  )
  if (!isWatched) return []
  const about = { patient: patient.replace(/^Patient\//, ''), _count: '100' }
  const codes = [...watchedResults].map((code) => `http://loinc.org|${code}`).join(',')
  const [results, medications] = await Promise.all([
    fhirStore.search<Observation>('Observation', { ...about, code: codes, _sort: '-date' }, call),
    fhirStore.search<MedicationRequest>('MedicationRequest', { ...about, status: 'active' }, call),
  ])
  return firedRules(results, medications)
}

const cardOf = (patient: string, { rule, observation, card }: FiredRule, createdAt: Date) => ({
  id: derivedId('card', rule, observation.id ?? '', observation.meta?.versionId ?? ''),
  ...{ patient, rule, card, createdAt, resource: `Observation/${observation.id}` },
})

const patientsOf = ({ event }: Seen) =>
  event.resources.filter(({ type }) => type === 'Patient').map(({ reference }) => reference)
