import { faultOf } from '../../../../packages/faults/fault.ts'
import { parseJson } from '../../../../packages/fhir/parse-json.ts'
import { parseReference } from '../../../../packages/fhir/reference.ts'
import type { Consent, ConsentProvision } from '../../../../packages/fhir/r4.ts'
import type { Log } from '../../../../packages/log/log.ts'
import type { JobQueue, JobWorker } from '../../../../packages/sql/tasks/job-queue.ts'
import type { Transaction } from '../../../../packages/sql/queryable.ts'
import { serviceCaller } from '../../../../packages/tokens/service-caller.ts'
import { lastSurvivor, mergeTrail } from '../../../../ports/patient-index/merge-trail.ts'
import type { TouchedResource } from '../../audit/audited-access.ts'
import type { AuditTrail } from '../../interactions/audited.ts'
import { replacement } from '../../interactions/changes.ts'
import type { InteractionDeps } from '../../interactions/deps.ts'
import { fullAccess } from '../../scopes/access.ts'
import type { Change, Stored } from '../../store/change.ts'
import { mayRefer } from '../../search/parse/target-types.ts'
import { parameterKey, resourceKey, type Key } from '../../store/keys.ts'
import { readCurrent } from '../../store/read.ts'
import { referringKeys } from '../../store/referring.ts'
import type { PatientRecords } from '../patient-records.ts'
import { jobOf, mergeQueue, type MergedPatient } from './note-merges.ts'
import { pointingTo } from './pointing-to.ts'

interface Repointing extends RepointDeps {
  /** Of the references that follow. */
  readonly params: readonly number[]
}

interface RepointDeps extends InteractionDeps {
  readonly jobs: JobQueue
  readonly records: PatientRecords
  readonly audit: Pick<AuditTrail, 'record'>
  readonly log: Log
}

/**
 * What was known of somebody who was merged into another record is known of that record: it refers to it from now on. In
 * steps of their own transactions, each of which can be done again, while nobody waits for it.
 */
export function repointMerged(given: RepointDeps): JobWorker<MergedPatient> {
  const deps = { ...given, params: paramsOfPatients(given) }
  return deps.jobs.worker<MergedPatient>({
    queues: [mergeQueue],
    concurrency: 1,
    // Whoever merges rings; a look is for other copies' merges and for later looks.
    pollMs: 2_000,
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
/** Looks in a row at which others were quicker: who writes at the moment of each is no race any more. */
const missesMax = 10
/** A refusal follows by itself, mostly at once; one that nobody lets follow is looked at every hour. */
const refusalLook = { firstMs: 2_000, maxMs: 3_600_000 }
/** About a minute: whoever reads the log need not hear of those that follow by themselves. */
const quietStays = 5

/** Not by compartments: a Device, a Task and their like are in none, and are a patient's all the same. */
const paramsOfPatients = ({ definitions }: RepointDeps): number[] =>
  [...definitions.resourceTypes]
    .filter((type) => !ofRecords.has(type))
    .flatMap((type) =>
      [...definitions.parametersOf(type).values()]
        .filter((parameter) => parameter.type === 'reference' && mayRefer(parameter, 'Patient'))
        .map(({ code }) => parameterKey(type, code)),
    )

/** Told of records and not of people, or of what happened then; consents are their own service's. */
const ofRecords = new Set(['Patient', 'Person', 'Group', 'Linkage', 'List', 'AuditEvent', 'Provenance', 'Consent'])

async function repoint(merged: MergedPatient, signal: AbortSignal, deps: Repointing): Promise<void> {
  const { patientId, isLaterLook = false, stays = 0, misses = 0 } = merged
  let { after } = merged
  let moved = 0
  let missed = 0
  for (let steps = 0; steps < stepsMax && !signal.aborted; steps++) {
    const step = await deps.database.transaction((tx) => repointStep(patientId, after, tx, deps))
    if (step === 'not-merged') return
    if (step === 'refused') return stay(patientId, stays, deps)
    recordMove(patientId, step, deps)
    moved += step.moved.length
    missed += step.missed
    if (step.last === undefined) {
      if (moved > 0) deps.log.info('the record of a merged patient follows', { count: moved })
      if (moved > 0 || !isLaterLook) return againAt(laterLookMs, { patientId, isLaterLook: true }, deps)
      if (missed === 0) return undefined
      if (misses >= missesMax) return deps.log.warn('a resource of a merged patient stays', { faultKind: 'conflict' })
      return againAt(laterLookMs, { patientId, isLaterLook: true, misses: misses + 1 }, deps)
    }
    after = step.last
  }
  const isStillLater = isLaterLook && moved + missed === 0
  return againAt(0, { ...merged, isLaterLook: isStillLater, ...(after === undefined ? {} : { after }) }, deps)
}

async function againAt(waitMs: number, payload: MergedPatient, { database, jobs, clock }: RepointDeps): Promise<void> {
  const notBefore = new Date(clock.now().getTime() + waitMs)
  await database.transaction((tx) => jobs.add(tx, { ...jobOf(payload), notBefore }))
}

function stay(patientId: string, stays: number, deps: RepointDeps): Promise<void> {
  if (stays >= quietStays) {
    deps.log.warn(
      'the record of a merged patient stays: a consent that was refused for it is not known of the survivor',
    )
  }
  const { firstMs, maxMs } = refusalLook
  return againAt(Math.min(firstMs * 2 ** stays, maxMs), { patientId, stays: stays + 1 }, deps)
}

/** Nobody asked for it, and both patients' record is another than before. */
function recordMove(from: string, { into, moved }: Moved, { audit, clock, ids }: RepointDeps): void {
  if (moved.length === 0) return
  const patients = [from, into].map((id) => ({ type: 'Patient', id }))
  audit.record({
    ...{ at: clock.now(), interaction: 'update', outcome: { kind: 'success' }, caller: system, requestId: ids.uuid() },
    touched: [...patients, ...moved],
  })
}

/** The store itself. */
const system = serviceCaller({ clientId: 'corridor-fhir', scope: '' })

interface Moved {
  readonly into: string
  readonly moved: readonly TouchedResource[]
  /** With which others were quicker: they may have written of the old record once more. */
  readonly missed: number
  readonly last: Key | undefined
}

type Step = 'not-merged' | 'refused' | Moved

async function repointStep(from: string, after: Key | undefined, tx: Transaction, deps: Repointing): Promise<Step> {
  const into = await survivorOf(from, tx, deps)
  if (into === undefined) return 'not-merged'
  if (await hasRefused(from, tx)) return 'refused'
  const target = resourceKey('Patient', from)
  const keys = await referringKeys({ target, params: deps.params, after, limit: stepMax }, tx)
  const found = await readCurrent(keys, tx)
  const changes = [...found.values()].flatMap((stored) => changeOf(stored, from, into, deps))
  const outcomes = changes.length === 0 ? [] : await deps.store.writeTogether(changes, tx)
  const moved = outcomes.flatMap((outcome) => (outcome.kind === 'updated' ? [outcome.stored] : []))
  return {
    into,
    moved: moved.map(({ type, id, version }) => ({ type, id, version })),
    missed: outcomes.length - moved.length,
    last: keys.at(-1),
  }
}

/** Nothing is moved to a record that is not here, or in a circle. */
async function survivorOf(from: string, tx: Transaction, { records }: RepointDeps): Promise<string | undefined> {
  const read = async (id: string) => (await records.read([id], tx)).get(id)
  const merged = await read(from)
  return merged && lastSurvivor(await mergeTrail(merged, read))?.id
}

/** A refusal holds for the record that it names. What it keeps from others must not come to them by a merge. */
async function hasRefused(patientId: string, tx: Transaction): Promise<boolean> {
  const [target, params] = [resourceKey('Patient', patientId), [parameterKey('Consent', 'patient')]]
  const consents = await readCurrent(await referringKeys({ target, params, after: undefined, limit: 1_000 }, tx), tx)
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
  const resource = pointingTo(before, (reference) => isTo(reference, from, deps.base), `Patient/${into}`)
  if (resource === before) return []
  try {
    return [replacement({ type, id, resource, precondition: { version }, access: fullAccess }, deps)]
  } catch (thrown) {
    // What an older version took and this one does not stays where it is, and the others do not wait for it.
    deps.log.warn('a resource of a merged patient stays', { faultKind: faultOf(thrown).kind })
    return []
  }
}

/** One to a version of it, too: the survivor has none of its versions. */
function isTo(reference: string, patientId: string, base: string): boolean {
  const parsed = parseReference(reference)
  if (parsed.kind !== 'relative' && (parsed.kind !== 'absolute' || parsed.base !== base)) return false
  return parsed.type === 'Patient' && parsed.id === patientId
}
