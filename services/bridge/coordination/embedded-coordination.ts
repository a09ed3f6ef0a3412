import type { Transaction } from '../../../packages/sql/database.ts'
import type { Outbox } from '../../../packages/sql/tasks/outbox.ts'
import type { Coordination, PostWriteEvent } from '../../../ports/coordination/coordination.ts'
import type { CallOptions } from '../../../ports/call-options.ts'
import type { Observation } from '../../../packages/fhir/r4.ts'
import type { ResourceMatching, SoughtVersion } from '../../../ports/resource-matching/resource-matching.ts'
import { derivedId } from '../derived-id.ts'
import { patientReference } from '../mapping/patient-of.ts'
import { versionBefore } from '../version-before.ts'
import { criticalFacts } from './critical-facts.ts'
import { isCritical } from './is-critical.ts'
import { isWatched, type Watched } from './decision-support.ts'
import { nextLook, planLooks, type EscalationDeps } from './escalate-alerts.ts'
import { moveAlerts, raiseAlerts, type MovedResult } from './store/alerts.ts'
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
          const touched = fresh.flatMap(({ patient, written: own }) =>
            own.flatMap(({ resource }) => (isWatched(resource) ? [patientReference(resource) ?? patient] : [])),
          )
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
  readonly written: readonly WrittenVersion[]
}

interface WrittenVersion {
  readonly resource: Watched
  /** As it was before, of a result that is critical; undefined where it was not, or nobody can say. */
  readonly before: Watched | undefined
}

async function markSummaries(seen: readonly Seen[], tx: Transaction): Promise<void> {
  const merged = seen.filter(({ event }) => event.flags.merge).flatMap(patientsOf)
  if (merged.length > 0) await forgetSummaries(merged, tx)
  const changed = seen.flatMap(({ event: { sections, otherPatients = [] }, patient }) =>
    [patient, ...otherPatients].map((one) => ({ patient: one, sections })),
  )
  const changes = [...Map.groupBy(changed, ({ patient }) => patient)].map(([patient, own]) => ({
    patient,
    sections: [...new Set(own.flatMap(({ sections }) => sections))],
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
  const moved = await moveAlerts(seen.flatMap(movedIn), tx)
  const alerts = seen.flatMap(({ event, patient, written }) =>
    written.flatMap(({ resource, before }) => {
      if (resource.resourceType !== 'Observation' || !isCritical(resource)) return []
      const { id = '', meta } = resource
      return {
        id: derivedId('alert', id, meta?.versionId ?? ''),
        // The message may be about others too, and first about one of them.
        patient: patientReference(resource) ?? patient,
        ...{ resource: `Observation/${id}`, transactionId: event.transactionId },
        ...{ raisedAt: now, escalateAt: escalateAt ?? null },
        isKnown:
          moved.has(`Observation/${id}`) ||
          (before === undefined ? event.isRerun === true : saysTheSame(before, resource)),
      }
    }),
  )
  const told = new Set<string>()
  const news = alerts.filter(({ isKnown, resource }) => {
    // By another of these, which has no row yet.
    const isToldHere = isKnown && told.has(resource)
    told.add(resource)
    return !isToldHere
  })
  const raised = await raiseAlerts(news, tx)
  if (escalateAt !== undefined) await planLooks(tx, raised, escalateAt, deps)
}

const movedIn = ({ written }: Seen): MovedResult[] =>
  written.flatMap(({ resource, before }) => {
    const [from, to] = [before && patientReference(before), patientReference(resource)]
    const isMoved = from !== undefined && to !== undefined && from !== to
    return isMoved ? [{ resource: `${resource.resourceType}/${resource.id ?? ''}`, from, to }] : []
  })

const saysTheSame = (before: Watched, now: Observation): boolean =>
  before.resourceType === 'Observation' && isCritical(before) && criticalFacts(before) === criticalFacts(now)

/** Of all events in one call; of critical results that were there before, in a second one, what they were. */
async function watchedResources(
  events: readonly PostWriteEvent[],
  { matching }: EmbeddedCoordinationDeps,
  call: CallOptions,
): Promise<ReadonlyMap<PostWriteEvent, readonly WrittenVersion[]>> {
  const wanted = events.flatMap((event) =>
    event.resources
      .filter(
        ({ type, operation }) => operation !== 'delete' && (type === 'Observation' || type === 'MedicationRequest'),
      )
      .map((change) => ({ ...change, event, id: change.reference.slice(change.type.length + 1) })),
  )
  // Sound: only these two types are asked for.
  const read = async (versions: readonly SoughtVersion[]) =>
    versions.length === 0 ? [] : ((await matching.readVersions(versions, call)) as (Watched | undefined)[])
  const found = await read(wanted.map(({ type, id, versionId }) => ({ type, id, version: versionId ?? undefined })))
  const written = wanted.flatMap((change, index) => {
    const resource = found[index]
    return resource === undefined ? [] : [{ event: change.event, resource, wasVersion: versionBefore(change) }]
  })
  const changed = written.filter(({ resource, wasVersion }) => wasVersion !== undefined && isCritical(resource))
  const before = await read(changed.flatMap(({ wasVersion }) => wasVersion ?? []))
  const beforeOf = new Map(changed.map((one, index) => [one, before[index]]))
  const byEvent = new Map<PostWriteEvent, WrittenVersion[]>()
  for (const one of written) {
    const version = { resource: one.resource, before: beforeOf.get(one) }
    byEvent.set(one.event, [...(byEvent.get(one.event) ?? []), version])
  }
  return byEvent
}
