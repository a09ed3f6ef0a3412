import { isGoldenRecord, linkedPatientId } from '../../../../ports/patient-index/golden-link.ts'
import { lastSurvivor, mergeTrail } from '../../../../ports/patient-index/merge-trail.ts'
import type { Database } from '../../../../packages/sql/database.ts'
import type { JobQueue, JobWorker } from '../../../../packages/sql/tasks/job-queue.ts'
import { reviewsOf, type Doubt, type ReviewsDeps } from '../doubt.ts'
import { askedFor, findAmong, nobody } from '../find-matches.ts'
import type { IndexMetrics } from '../index-metrics.ts'
import type { StoredPatient } from '../index-patients.ts'
import type { NamesInUse } from '../names-in-use.ts'
import type { PatientRecords } from '../patient-records.ts'
import { personOf } from '../person.ts'
import { matchOf } from '../rank.ts'
import { findCandidates } from '../store/candidates.ts'
import { recordsOf } from '../store/people.ts'
import { openingReviews } from '../store/reviews.ts'
import { secondLookQueue, type SecondLook } from './second-look.ts'

interface SecondLookDeps extends ReviewsDeps {
  readonly database: Database
  readonly jobs: JobQueue
  readonly names: Pick<NamesInUse, 'frequency'>
  readonly indexMetrics: IndexMetrics
  readonly records: PatientRecords
}

/**
 * Whoever was recognised once is known by the number of the record, and nobody else is looked for at their messages. When more becomes
 * known of them they are looked for here, while nobody waits: a review is opened, and nothing is linked.
 */
export const lookAgain = (deps: SecondLookDeps): JobWorker<SecondLook> =>
  deps.jobs.worker<SecondLook>({
    queues: [secondLookQueue],
    concurrency: 1,
    // Nobody rings for most of them.
    pollMs: 2_000,
    attemptsMax: 100,
    backoff: { baseMs: 1_000, maxMs: 3_600_000, multiplier: 2, jitter: 0.2 },
    handle: ({ payload }) => look(payload.patientId, deps),
  })

async function look(patientId: string, deps: SecondLookDeps): Promise<void> {
  const { database } = deps
  const record = await read(patientId, deps)
  if (record === undefined || isGoldenRecord(record)) return
  const isMerged = linkedPatientId(record, 'replaced-by') !== undefined
  const doubts = isMerged
    ? await afterMerge(record, deps)
    : [...(await ofLinked(record, deps)), await ofLikeness(record, deps)]
  for (const opening of openingReviews(reviewsOf(doubts, deps))) await database.run(opening)
}

const read = async (id: string, { records, database }: SecondLookDeps): Promise<StoredPatient | undefined> =>
  (await records.read([id], database)).get(id)

/** The golden record that it has, or the one in the place of that. */
async function goldenIdOf(record: StoredPatient, deps: SecondLookDeps): Promise<string> {
  const id = linkedPatientId(record, 'refer') ?? record.id
  const golden = id === record.id ? undefined : await read(id, deps)
  return (golden && lastSurvivor(await mergeTrail(golden, (next) => read(next, deps)))?.id) ?? id
}

async function ofLikeness(record: StoredPatient, deps: SecondLookDeps): Promise<Doubt> {
  const frequency = await deps.names.frequency()
  const [person, goldenId] = [personOf(record), await goldenIdOf(record, deps)]
  const [candidates = nobody] = await findCandidates([askedFor(person, frequency)], deps.database)
  if (candidates.isTruncated) deps.indexMetrics.truncated.inc()
  // Those of their own would be rivals of everybody else.
  const found = candidates.found.filter((one) => one.goldenId !== goldenId)
  return { goldenId, matches: findAmong({ ...candidates, found }, person, frequency).matches }
}

/** Whom a sender has linked with them (A24): both records stay, and nobody has said that their other records are one person's, too. */
async function ofLinked(record: StoredPatient, deps: SecondLookDeps): Promise<Doubt[]> {
  const ids = (record.link ?? []).flatMap((link) => linkedPatientId({ ...record, link: [link] }, 'seealso') ?? [])
  const others = await deps.records.read(ids.slice(0, linkedMax), deps.database)
  return Promise.all([...others.values()].map((other) => doubtOf(record, other, deps)))
}

/** More than anybody links with one person. */
const linkedMax = 20

/** Both records keep their golden record (0936). Where the one that went has further records, they may be the survivor's. */
async function afterMerge(record: StoredPatient, deps: SecondLookDeps): Promise<Doubt[]> {
  const survivor = lastSurvivor(await mergeTrail(record, (id) => read(id, deps)))
  const [further] = await recordsOf(await goldenIdOf(record, deps), deps.database)
  const other = further === undefined ? undefined : await read(further, deps)
  return survivor === undefined || other === undefined ? [] : [await doubtOf(other, survivor, deps)]
}

async function doubtOf(one: StoredPatient, other: StoredPatient, deps: SecondLookDeps): Promise<Doubt> {
  const candidate = { patientId: other.id, goldenId: await goldenIdOf(other, deps), person: personOf(other) }
  const match = matchOf(personOf(one), candidate, await deps.names.frequency())
  return { goldenId: await goldenIdOf(one, deps), matches: [match] }
}
