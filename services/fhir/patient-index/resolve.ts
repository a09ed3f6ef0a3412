import { faultOf } from '../../../packages/faults/fault.ts'
import type { Patient } from '../../../packages/fhir/r4.ts'
import type { Database, Transaction } from '../../../packages/sql/database.ts'
import type { Doubt } from './doubt.ts'
import { askedFor, findAmong, findKnownOrMatches, nobody, nothing, type Found } from './find-matches.ts'
import { goldenIdsFrom, newGoldenId } from './golden/golden-id.ts'
import type { Grade } from './grade.ts'
import type { IndexMetrics } from './index-metrics.ts'
import type { NameFrequency } from './name-frequency.ts'
import type { NamesInUse } from './names-in-use.ts'
import { Newcomers, type WelcomeDeps } from './newcomers.ts'
import { personOf, type Person } from './person.ts'
import { matchOf, type Candidate } from './rank.ts'
import { claimCandidates } from './store/candidates.ts'
import { goldenIdsInUse } from './store/people.ts'

export interface ResolveDeps extends WelcomeDeps {
  readonly database: Database
  readonly names: Pick<NamesInUse, 'frequency'>
  readonly indexMetrics: IndexMetrics
}

interface Resolution {
  readonly goldenId: string
  /**
   * `known`: this very record was seen before. `matched`: another record of the person was found, for certain. `new`:
   * nobody was found for certain, so the person got a golden record.
   */
  readonly outcome: 'known' | 'matched' | 'new'
  /** How likely the best match was, if somebody had to be looked for and there was one. */
  readonly grade?: Grade
  readonly score?: number
  /** Of a known one: other golden records that a number of theirs belongs to. Somebody has to decide. */
  readonly rivals?: readonly string[]
  /** Records that were golden until they were merged into this one. */
  readonly goldenBefore?: readonly string[]
}

/**
 * The golden record of each, in the order asked. Only a certain match links; of lesser ones somebody has to decide, and
 * until then the person has a golden record of their own. Asked again, it answers the same.
 */
export async function resolvePatients(patients: readonly Patient[], deps: ResolveDeps): Promise<Resolution[]> {
  if (patients.length === 0) return []
  const people = patients.map(personOf)
  const frequency = await deps.names.frequency()
  const attempt = (assumesNew: boolean) =>
    deps.database.transaction((tx) => resolveIn(tx, people, { frequency, assumesNew }, deps), { plans: 'kept' })
  try {
    return await attempt(true)
  } catch (thrown) {
    // The golden record of somebody whom the index has forgotten is there still, or of one who had the number, or the name with it, before.
    if (faultOf(thrown).code !== 'ALREADY_EXISTS') throw thrown
    return attempt(false)
  }
}

/** The same without writing: `new` ones are told the golden record that they would get. */
export async function recognisePatients(patients: readonly Patient[], deps: ResolveDeps): Promise<Resolution[]> {
  const people = patients.map(personOf)
  const found = await findKnownOrMatches(people, deps)
  return people.map((person, at) => resolutionOf(found[at] ?? nothing, () => newGoldenId(person, deps.ids)))
}

interface Circumstances {
  readonly frequency: NameFrequency
  /** Golden records that newcomers get are taken to be new, which saves round trips. */
  readonly assumesNew: boolean
}

/** One after the other, so that whoever is new twice in one batch is new once. */
async function resolveIn(
  tx: Transaction,
  people: readonly Person[],
  { frequency, assumesNew }: Circumstances,
  deps: ResolveDeps,
): Promise<Resolution[]> {
  const asked = people.map((person) => askedFor(person, frequency))
  const candidates = await claimCandidates(asked, deps.clock.now(), tx)
  const ofOthers = assumesNew ? undefined : await goldenIdsOfOthers(people, tx)
  const newcomers = new Newcomers()
  const resolutions = people.map((person, at) => {
    const { found, isTruncated } = candidates[at] ?? nobody
    const { keys = [] } = asked[at] ?? {}
    const near = { found: [...found, ...newcomers.sharing(keys)], isTruncated }
    const judged = findAmong(near, person, frequency)
    const resolution = resolutionOf(judged, () => newGoldenId(person, deps.ids, ofOthers))
    const { goldenId, outcome } = resolution
    if (isTruncated && outcome !== 'known') deps.indexMetrics.truncated.inc()
    if (outcome === 'new') newcomers.add({ person, keys, goldenId, matches: judged.matches })
    for (const doubt of doubtsAbout(judged.known, frequency)) newcomers.doubt(doubt)
    return resolution
  })
  await newcomers.welcome(tx, { ...deps, assumesNew })
  return resolutions
}

/**
 * Golden records that these might get and that are somebody else's: nobody of theirs has any more, to the letter, what the id follows
 * from.
 */
async function goldenIdsOfOthers(people: readonly Person[], tx: Transaction): Promise<ReadonlySet<string>> {
  const inUse = await goldenIdsInUse(
    people.flatMap((one) => [...goldenIdsFrom(one)]),
    tx,
  )
  const isOwn = ({ id, person }: (typeof inUse)[number]) =>
    person !== undefined && [...goldenIdsFrom(person)].includes(id)
  const own = new Set(inUse.filter(isOwn).map(({ id }) => id))
  return new Set(inUse.flatMap(({ id }) => (own.has(id) ? [] : id)))
}

function resolutionOf({ matches, known }: Found, makeGoldenId: () => string): Resolution {
  const [seen] = known
  if (seen !== undefined) {
    const rivals = [...new Set(rivalsOf(seen, known).map(({ goldenId }) => goldenId))]
    return { ...goldenOf(seen), outcome: 'known', ...(rivals.length === 0 ? {} : { rivals }) }
  }
  const [best] = matches
  const graded = best === undefined ? {} : { grade: best.grade, score: best.probability }
  if (best?.grade === 'certain') return { ...goldenOf(best), outcome: 'matched', ...graded }
  return { goldenId: makeGoldenId(), outcome: 'new', ...graded }
}

const goldenOf = ({ goldenId, goldenBefore }: Pick<Candidate, 'goldenId' | 'goldenBefore'>) => ({
  goldenId,
  ...(goldenBefore === undefined ? {} : { goldenBefore }),
})

/** Whose golden record stays is the one that the others may be: they are merged into it. */
function doubtsAbout(known: readonly Candidate[], frequency: NameFrequency): Doubt[] {
  const [seen] = known
  if (seen === undefined) return []
  return rivalsOf(seen, known).map(({ goldenId, person }) => ({
    goldenId,
    matches: [matchOf(person, seen, frequency)],
  }))
}

const rivalsOf = (seen: Candidate, known: readonly Candidate[]) =>
  known.filter(({ goldenId }) => goldenId !== seen.goldenId)
