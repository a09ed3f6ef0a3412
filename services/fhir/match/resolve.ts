import type { Clock } from '../../../packages/clock/clock.ts'
import type { Ids } from '../../../packages/clock/ids.ts'
import type { Patient } from '../../../packages/fhir/r4.ts'
import type { Database } from '../../../packages/sql/database.ts'
import { blockingKeys } from './blocking-keys.ts'
import { findMatches, type Found } from './find-matches.ts'
import { newGoldenId } from './golden/golden-id.ts'
import { goldenRecord } from './golden/golden-record.ts'
import type { Grade } from './grade.ts'
import { indexed } from './index-patients.ts'
import type { NamesInUse } from './names-in-use.ts'
import type { PatientRecords } from './patient-records.ts'
import { personOf, type Person } from './person.ts'
import { savingPeople } from './store/people.ts'
import { openReviews, type NewReview } from './store/reviews.ts'

export interface ResolveDeps {
  readonly database: Database
  readonly names: Pick<NamesInUse, 'frequency'>
  readonly records: PatientRecords
  readonly clock: Clock
  readonly ids: Ids
}

export interface Resolution {
  readonly goldenId: string
  /**
   * `known`: this very record was seen before. `matched`: another record of the person was found, for certain. `new`:
   * nobody was found for certain, so the person got a golden record.
   */
  readonly outcome: 'known' | 'matched' | 'new'
  /** How likely the best match was, if there was one. */
  readonly grade?: Grade
  readonly score?: number
}

/**
 * The golden record of each, in the order asked. Only a certain match links; of lesser ones somebody has to decide, and
 * until then the person has a golden record of their own. Asked again, it answers the same.
 */
export async function resolvePatients(patients: readonly Patient[], deps: ResolveDeps): Promise<Resolution[]> {
  return resolvePeople(patients.map(personOf), deps, roundsMax)
}

/** The same without writing: `new` ones are told the golden record that they would get. */
export async function recognisePatients(patients: readonly Patient[], deps: ResolveDeps): Promise<Resolution[]> {
  const people = patients.map(personOf)
  const found = await findMatches(people, deps)
  return people.map((person, at) => resolutionOf(person, found[at] ?? nothing, deps.ids))
}

/** A batch in which all resemble each other is no reason to ask five hundred times. */
const roundsMax = 4

async function resolvePeople(people: readonly Person[], deps: ResolveDeps, roundsLeft: number): Promise<Resolution[]> {
  const found = await findMatches(people, deps)
  const resolutions = people.map((person, at) => resolutionOf(person, found[at] ?? nothing, deps.ids))
  const strangers = people.flatMap((person, at): Stranger[] => {
    const { goldenId, outcome } = resolutions[at] ?? {}
    return goldenId !== undefined && outcome === 'new' ? [{ at, person, goldenId, found: found[at] ?? nothing }] : []
  })
  const [first, later] = roundsLeft > 0 ? apart(strangers) : [strangers, []]
  if (first.length > 0) await welcome(first, deps)
  if (later.length > 0) {
    const again = await resolvePeople(
      later.map(({ person }) => person),
      deps,
      roundsLeft - 1,
    )
    for (const [place, { at }] of later.entries()) {
      const resolution = again[place]
      if (resolution !== undefined) resolutions[at] = resolution
    }
  }
  return resolutions
}

/** Two newcomers of one batch may be one person: whoever resembles another waits until the other is in the index. */
function apart(strangers: readonly Stranger[]): [first: Stranger[], later: Stranger[]] {
  const taken = new Map<string, string>()
  const first: Stranger[] = []
  const later: Stranger[] = []
  for (const stranger of strangers) {
    const keys = blockingKeys(stranger.person)
    // The same record twice has the same golden record already.
    const isAlone = keys.every((key) => (taken.get(key) ?? stranger.goldenId) === stranger.goldenId)
    ;(isAlone ? first : later).push(stranger)
    if (isAlone) for (const key of keys) taken.set(key, stranger.goldenId)
  }
  return [first, later]
}

const nothing: Found = { matches: [], known: undefined }

function resolutionOf(person: Person, { matches, known }: Found, ids: Ids): Resolution {
  const [best] = matches
  const graded = best === undefined ? {} : { grade: best.grade, score: best.probability }
  if (known !== undefined) return { goldenId: known.goldenId, outcome: 'known', ...graded }
  if (best?.grade === 'certain') return { goldenId: best.goldenId, outcome: 'matched', ...graded }
  return { goldenId: newGoldenId(person, ids), outcome: 'new', ...graded }
}

interface Stranger {
  /** Their place in the batch. */
  readonly at: number
  readonly person: Person
  readonly goldenId: string
  readonly found: Found
}

/** Until the record itself is written, its golden record stands for it in the index, so that the next one finds it. */
async function welcome(strangers: readonly Stranger[], { database, records, clock, ids }: ResolveDeps): Promise<void> {
  const byId = new Map(strangers.map((stranger) => [stranger.goldenId, stranger]))
  const now = clock.now()
  const reviews = [...byId.values()].flatMap((stranger) => reviewsOf(stranger, now, ids))
  await database.transaction(async (tx) => {
    const there = await records.read([...byId.keys()], tx)
    const absent = [...byId.values()].filter(({ goldenId }) => !there.has(goldenId))
    await records.write(
      absent.map(({ goldenId }) => goldenRecord(goldenId)),
      tx,
    )
    const people = absent.map(({ person, goldenId }) =>
      indexed(person, { patientId: goldenId, goldenId, isProvisional: true }),
    )
    if (people.length > 0) await tx.run(savingPeople(people))
    await openReviews(reviews, tx)
  })
}

/** One a person that it may be; the best few, for somebody has to look at them. */
function reviewsOf({ goldenId, found }: Stranger, createdAt: Date, ids: Ids): NewReview[] {
  const best = new Map(found.matches.toReversed().map((match) => [match.goldenId, match]))
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
