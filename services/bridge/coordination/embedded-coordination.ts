import type { Transaction } from '../../../packages/sql/database.ts'
import type { Outbox } from '../../../packages/sql/tasks/outbox.ts'
import type { Coordination, PostWriteEvent } from '../../../ports/coordination/coordination.ts'
import type { CallOptions } from '../../../ports/call-options.ts'
import type { ResourceMatching } from '../../../ports/resource-matching/resource-matching.ts'
import { derivedId } from '../derived-id.ts'
import { isCritical } from './is-critical.ts'
import { isWatched, type Watched } from './decision-support.ts'
import { nextLook, planLooks, type EscalationDeps } from './escalate-alerts.ts'
import { raiseAlerts } from './store/alerts.ts'
import { forgetSummaries, staleSections, takeEvents } from './store/coordination.ts'
import { planDecisionSupport } from './support-decisions.ts'

interface EmbeddedCoordinationDeps extends EscalationDeps {
  readonly outbox: Outbox
  readonly matching: ResourceMatching
}

/**
 * The clinical coordination service of a bridge that has no other: it invalidates patient summaries, raises alerts for
 * critical results, and lets a few published decision-support rules be evaluated.
 */
export function embeddedCoordination(deps: EmbeddedCoordinationDeps): Coordination {
  const { database, clock } = deps
  return {
    async postWrite(events, call = {}) {
      const written = await watchedResources(events, deps, call)
      const seen = events.flatMap((event) =>
        event.patient === null ? [] : [{ event, patient: event.patient, written: written.get(event) ?? [] }],
      )
      await database.transaction(
        async (tx) => {
          const now = clock.now()
          const ids = events.map(({ eventId }) => eventId)
          const taken = await takeEvents(ids, now, tx)
          const fresh = seen.filter(({ event }) => taken.has(event.eventId))
          await markSummaries(fresh, tx)
          await raiseForCritical(fresh, now, tx, deps)
          const touched = fresh.filter(({ written: own }) => own.some(isWatched)).map(({ patient }) => patient)
          await planDecisionSupport(tx, [...new Set(touched)], deps)
        },
        { plans: 'kept' },
      )
    },
  }
}

/** An event with what it is about. */
interface Seen {
  readonly event: PostWriteEvent
  readonly patient: string
  readonly written: readonly Watched[]
}

async function markSummaries(seen: readonly Seen[], tx: Transaction): Promise<void> {
  const merged = seen.filter(({ event }) => event.flags.merge).flatMap(patientsOf)
  if (merged.length > 0) await forgetSummaries(merged, tx)
  const changes = [...Map.groupBy(seen, ({ patient }) => patient)].map(([patient, own]) => ({
    patient,
    sections: [...new Set(own.flatMap(({ event }) => event.sections))],
  }))
  await staleSections(changes, tx)
}

const patientsOf = ({ event }: Seen) =>
  event.resources.filter(({ type }) => type === 'Patient').map(({ reference }) => reference)

async function raiseForCritical(
  seen: readonly Seen[],
  now: Date,
  tx: Transaction,
  deps: EmbeddedCoordinationDeps,
): Promise<void> {
  const escalateAt = nextLook(0, deps)
  const alerts = seen.flatMap(({ event, patient, written }) =>
    written.filter(isCritical).map(({ id = '', meta }) => ({
      id: derivedId('alert', id, meta?.versionId ?? ''),
      ...{ patient, resource: `Observation/${id}`, transactionId: event.transactionId },
      ...{ raisedAt: now, escalateAt: escalateAt ?? null },
    })),
  )
  const raised = await raiseAlerts(alerts, tx)
  if (escalateAt !== undefined) await planLooks(tx, raised, escalateAt, deps)
}

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
