import { faultOf } from '../../../../packages/faults/fault.ts'
import { parseJson } from '../../../../packages/fhir/parse-json.ts'
import type { Consent, ConsentProvision } from '../../../../packages/fhir/r4.ts'
import type { Log } from '../../../../packages/log/log.ts'
import type { JobQueue, JobWorker } from '../../../../packages/sql/job-queue.ts'
import type { Transaction } from '../../../../packages/sql/queryable.ts'
import { linkedPatientId } from '../../../../ports/patient-index/golden-link.ts'
import { replacement } from '../../interactions/changes.ts'
import type { InteractionDeps } from '../../interactions/deps.ts'
import { fullAccess } from '../../scopes/access.ts'
import type { Change, Stored } from '../../store/change.ts'
import { compartmentKeys } from '../../store/compartment.ts'
import type { Key } from '../../store/keys.ts'
import { readCurrent } from '../../store/read.ts'
import type { PatientRecords } from '../patient-records.ts'
import { jobOf, mergeQueue, type MergedPatient } from './note-merges.ts'
import { pointingTo } from './pointing-to.ts'

export interface RepointDeps extends InteractionDeps {
  readonly jobs: JobQueue
  readonly records: PatientRecords
  readonly log: Log
}

/**
 * What was known of somebody who was merged into another record is known of that record: it refers to it from now on. In
 * steps of their own transactions, each of which can be done again, while nobody waits for it.
 */
export function repointMerged(deps: RepointDeps): JobWorker<MergedPatient> {
  return deps.jobs.worker<MergedPatient>({
    queues: [mergeQueue],
    concurrency: 1,
    // Whoever merges rings; a look is for other copies' merges and for later looks.
    pollMs: 30_000,
    attemptsMax: 10_000,
    backoff: { baseMs: 1_000, maxMs: 3_600_000, multiplier: 2, jitter: 0.2 },
    handle: ({ payload }, signal) => repoint(payload, signal, deps),
  })
}

/** Of one transaction: few enough that a message about the same patient hardly waits. */
const stepMax = 50
/** Of one job, which must end within its lease. */
const stepsMax = 40
/** Longer than a message takes that had read the old record before it was merged. */
const laterLookMs = 600_000
const refusalLookMs = 3_600_000

async function repoint(merged: MergedPatient, signal: AbortSignal, deps: RepointDeps): Promise<void> {
  const { patientId, isLaterLook = false } = merged
  let { after } = merged
  let moved = 0
  for (let steps = 0; steps < stepsMax && !signal.aborted; steps++) {
    const step = await deps.database.transaction((tx) => repointStep(patientId, after, tx, deps))
    if (step === 'not-merged') return
    if (step === 'refused') return againAt(refusalLookMs, { patientId }, deps)
    moved += step.moved
    if (step.last === undefined) {
      if (moved > 0) deps.log.info('the record of a merged patient follows', { count: moved })
      return moved > 0 || !isLaterLook ? againAt(laterLookMs, { patientId, isLaterLook: true }, deps) : undefined
    }
    after = step.last
  }
  return againAt(0, { ...merged, ...(after === undefined ? {} : { after }) }, deps)
}

async function againAt(waitMs: number, payload: MergedPatient, { database, jobs, clock }: RepointDeps): Promise<void> {
  const notBefore = new Date(clock.now().getTime() + waitMs)
  await database.transaction((tx) => jobs.add(tx, { ...jobOf(payload), notBefore }))
}

type Step = 'not-merged' | 'refused' | { readonly moved: number; readonly last: Key | undefined }

async function repointStep(from: string, after: Key | undefined, tx: Transaction, deps: RepointDeps): Promise<Step> {
  const into = await survivorOf(from, tx, deps)
  if (into === undefined) return 'not-merged'
  if (await hasRefused(from, tx)) {
    deps.log.warn(
      'the record of a merged patient stays: a consent that was refused for it is not known of the survivor',
    )
    return 'refused'
  }
  const page = { patientId: from, types: ofRecords, areTypesWanted: false, after, limit: stepMax }
  const keys = await compartmentKeys(page, tx)
  const found = await readCurrent(keys, tx)
  const changes = [...found.values()].flatMap((stored) => changeOf(stored, from, into, deps))
  const outcomes = changes.length === 0 ? [] : await deps.store.writeTogether(changes, tx)
  // Who wrote in between is found by the later look.
  return { moved: outcomes.filter(({ kind }) => kind === 'updated').length, last: keys.at(-1) }
}

/** Told of records and not of people, or of what happened then; consents are their own service's. */
const ofRecords = ['Patient', 'Person', 'Group', 'List', 'AuditEvent', 'Provenance', 'Consent']

/** The last of those who were merged into each other. */
async function survivorOf(from: string, tx: Transaction, { records }: RepointDeps): Promise<string | undefined> {
  let id = from
  for (let steps = 0; steps < mergesMax; steps++) {
    const patient = (await records.read([id], tx)).get(id)
    // Nothing is moved to a record that is not here.
    if (patient === undefined) return undefined
    const next = linkedPatientId(patient, 'replaced-by')
    if (next === undefined) return id === from ? undefined : id
    id = next
  }
  // Records that were merged in a circle lead nowhere.
  return undefined
}

const mergesMax = 8

/** A refusal holds for the record that it names. What it keeps from others must not come to them by a merge. */
async function hasRefused(patientId: string, tx: Transaction): Promise<boolean> {
  const page = { patientId, types: ['Consent'], areTypesWanted: true, after: undefined, limit: 1_000 }
  const consents = await readCurrent(await compartmentKeys(page, tx), tx)
  return [...consents.values()].some(({ content = '{}' }) => {
    // Sound: the store holds only what was valid when it was written.
    const { status, provision } = JSON.parse(content) as Consent
    return status === 'active' && provision !== undefined && isRefusal(provision)
  })
}

const isRefusal = ({ type, provision = [] }: ConsentProvision): boolean => type === 'deny' || provision.some(isRefusal)

function changeOf(stored: Stored, from: string, into: string, deps: RepointDeps): Change[] {
  const { type, id, version, content = '{}' } = stored
  const before = parseJson(content)
  const resource = pointingTo(before, [`Patient/${from}`, `${deps.base}/Patient/${from}`], `Patient/${into}`)
  if (resource === before) return []
  try {
    return [replacement({ type, id, resource, precondition: { version }, access: fullAccess }, deps)]
  } catch (thrown) {
    // What an older version took and this one does not stays where it is, and the others do not wait for it.
    deps.log.warn('a resource of a merged patient stays', { faultKind: faultOf(thrown).kind })
    return []
  }
}
