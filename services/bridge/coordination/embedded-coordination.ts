import type { MedicationRequest, Observation } from '../../../packages/fhir/r4.ts'
import type { Coordination, PostWriteEvent } from '../../../ports/coordination/coordination.ts'
import type { CallOptions, FhirStore } from '../../../ports/fhir-store/fhir-store.ts'
import type { ResourceMatching } from '../../../ports/resource-matching/resource-matching.ts'
import { derivedId } from '../outbound/derived-id.ts'
import { isCritical } from '../outbound/post-write.ts'
import { firedRules, isWatchedDrug, isWatchedResult, watchedResults, type FiredRule } from './cds-rules.ts'
import { nextLook, planLook, type EscalationDeps } from './escalate-alerts.ts'
import { raiseAlert } from './store/alerts.ts'
import { addCard, forgetSummaries, staleSections, takeEvent } from './store/coordination.ts'

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
    async postWrite(event, call = {}) {
      const { patient } = event
      const written = patient === null ? [] : await watchedResources(event, deps, call)
      const fired = patient === null ? [] : await decisionSupport(patient, written, deps, call)
      const critical = written.filter(isCritical)
      await database.transaction(async (tx) => {
        if (!(await takeEvent(event.eventId, clock.now(), tx)) || patient === null) return
        if (event.flags.merge) await forgetSummaries(patientsOf(event), tx)
        else await staleSections(patient, event.sections, tx)
        for (const one of fired) await addCard(cardOf(patient, one, clock.now()), tx)
        for (const { id = '', meta } of critical) {
          const alertId = derivedId('alert', id, meta?.versionId ?? '')
          const escalateAt = nextLook(0, deps)
          const about = { id: alertId, patient, resource: `Observation/${id}`, transactionId: event.transactionId }
          const isNew = await raiseAlert({ ...about, raisedAt: clock.now(), escalateAt: escalateAt ?? null }, tx)
          if (isNew && escalateAt !== undefined) await planLook(tx, alertId, escalateAt, deps)
        }
      })
    },
  }
}

type Watched = Observation | MedicationRequest

async function watchedResources(
  event: PostWriteEvent,
  { matching }: EmbeddedCoordinationDeps,
  call: CallOptions,
): Promise<Watched[]> {
  const versions = event.resources
    .filter(({ type, operation }) => operation !== 'delete' && (type === 'Observation' || type === 'MedicationRequest'))
    .map(({ reference, type, versionId }) => ({
      ...{ type, id: reference.slice(type.length + 1), version: versionId ?? undefined },
    }))
  const found = versions.length === 0 ? [] : await matching.readVersions(versions, call)
  // Sound: only these two types were asked for.
  return found.filter((one) => one !== undefined) as Watched[]
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

const patientsOf = ({ resources }: PostWriteEvent) =>
  resources.filter(({ type }) => type === 'Patient').map(({ reference }) => reference)
