import type { Clock } from '../../../packages/clock/clock.ts'
import type { Ids } from '../../../packages/clock/ids.ts'
import type { Patient } from '../../../packages/fhir/r4.ts'
import type { Log } from '../../../packages/log/log.ts'
import type { Database, Transaction } from '../../../packages/sql/queryable.ts'
import type { FhirStore } from '../../fhir-store/fhir-store.ts'
import { isGoldenRecord, linkedPatientId } from '../golden-link.ts'
import { lastSurvivor, mergeTrail, type MergeTrail } from '../merge-trail.ts'
import { endTurn, keepTurn, raiseSeen, setChecked, takeTurn, type MergeLook } from './merge-look.ts'
import { forgetMerge, knownMerged, noteMerge, type Merge, type MergeTables } from './merge-table.ts'

export interface LookDeps {
  /** With the right to read Patients. */
  readonly store: Pick<FhirStore, 'search' | 'searchAll'>
  readonly tables: MergeTables
  /** Lets the records of the service name the other patient, in the transaction that notes the merge; how many did. */
  readonly move: (merge: Merge, tx: Transaction) => Promise<number>
  readonly database: Database
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
}

export interface Asked {
  /** Those whom somebody has told of. */
  readonly patientIds: readonly string[]
  /** Looks only where nobody has for so long. */
  readonly everyMs?: number
}

/** One look through what the store has changed since the last; `waited`: another copy had its turn, or none was due. */
export async function lookForMerges(asked: Asked, signal: AbortSignal, deps: LookDeps): Promise<'looked' | 'waited'> {
  const { database, tables, clock, ids } = deps
  const { everyMs } = asked
  const turn = { holder: ids.uuid(), now: clock.now(), ...(everyMs === undefined ? {} : { everyMs }) }
  const look = await takeTurn(turn, tables, database)
  if (look === undefined) return 'waited'
  const at = { look, signal, deps }
  try {
    for (const part of partsOf(asked.patientIds)) await follow(await searchIds(part, {}, at), at)
    await followChanged(at)
    await followUndone(at)
  } finally {
    await endTurn(look, tables, database)
  }
  return 'looked'
}

interface At {
  readonly look: MergeLook
  readonly signal: AbortSignal
  readonly deps: LookDeps
}

type Found = Patient & { readonly id: string }

/** Longer than a transaction of the store takes, whose changes are seen later than those of another with a later time. */
const overlapMs = 120_000

/**
 * Who is replaced is out of use, and that every server can search for; few can for the link. In the order of the store's
 * own time, so that a look which is broken off goes on where it was.
 */
async function followChanged(at: At): Promise<void> {
  const { look, deps } = at
  let since = firstBound(look, deps.clock.now())
  let before = ''
  while (!at.signal.aborted) {
    const page = await searchPatients({ ...outOfUse, ...since, _sort: '_lastUpdated', _count: '200' }, at)
    await follow(page, at)
    const moment = newestOf(page)
    if (moment === undefined || moment <= before) return
    // A page may end within those of one moment.
    const all = { ...outOfUse, ...elements, _lastUpdated: `eq${moment}` }
    const rest = await deps.store.searchAll<Found>('Patient', all, { signal: at.signal })
    await follow(
      rest.filter(({ id }) => !page.some((one) => one.id === id)),
      at,
    )
    await raiseSeen(look, { seenUntil: new Date(moment), now: deps.clock.now() }, deps.tables, deps.database)
    since = { _lastUpdated: `gt${moment}` }
    before = moment
  }
}

const outOfUse = { active: 'false' }
const elements = { _elements: 'link' }

function newestOf(page: readonly Found[]): string | undefined {
  const times = page.flatMap(({ meta }) => (meta?.lastUpdated === undefined ? [] : [Date.parse(meta.lastUpdated)]))
  return times.length === 0 ? undefined : new Date(Math.max(...times)).toISOString()
}

function firstBound({ seenUntil, raisedAt }: MergeLook, now: Date): { _lastUpdated?: string } {
  if (seenUntil === null) return {}
  const isQuiet = now.getTime() - raisedAt.getTime() > overlapMs
  if (isQuiet) return { _lastUpdated: `gt${seenUntil.toISOString()}` }
  return { _lastUpdated: `ge${new Date(seenUntil.getTime() - overlapMs).toISOString()}` }
}

const checkEveryMs = 3_600_000
const idsMax = 100

/** Who was merged and is not any more is in use again, as everybody else: those who are known are asked for by their ids. */
async function followUndone(at: At): Promise<void> {
  const { look, deps, signal } = at
  const { clock, tables, database } = deps
  const now = clock.now()
  const sinceMs = look.checkedAt.getTime()
  if (now.getTime() - sinceMs < checkEveryMs) return
  // Clocks may differ, though hardly by an hour.
  const changed = { _lastUpdated: `ge${new Date(sinceMs - checkEveryMs).toISOString()}` }
  for (let known = await knownMerged('', idsMax, tables, database); known.length > 0 && !signal.aborted;) {
    const ids = known.map((reference) => reference.replace(/^Patient\//, ''))
    await follow(await searchIds(ids, changed, at), at)
    await keepTurn(look, clock.now(), tables, database)
    known = await knownMerged(known.at(-1) ?? '', idsMax, tables, database)
  }
  if (!signal.aborted) await setChecked(look, now, tables, database)
}

/** Whoever is not found counts as not there: all pages, however small the server makes them. */
const searchIds = (
  ids: readonly string[],
  more: Readonly<Record<string, string>>,
  { signal, deps }: At,
): Promise<readonly Found[]> => {
  const sought = { _id: ids.join(','), _count: String(idsMax), ...more, ...elements }
  return deps.store.searchAll<Found>('Patient', sought, { signal })
}

const searchPatients = (
  parameters: Readonly<Record<string, string>>,
  { signal, deps }: At,
): Promise<readonly Found[]> => deps.store.search<Found>('Patient', { ...parameters, ...elements }, { signal })

/** Of one transaction. */
const notedMax = 50

/** What the store says of each now is what is noted of them, and their records follow. */
async function follow(found: readonly Found[], at: At): Promise<void> {
  const read = await readerOf(found, at)
  for (const part of partsOf(found.filter((one) => !isGoldenRecord(one)))) {
    const trails = await Promise.all(part.map(async (one) => ({ one, trail: await mergeTrail(one, read) })))
    await note(trails, at)
  }
}

/** Those who were found, their survivors with one search for many, and whoever comes after them one by one. */
async function readerOf(found: readonly Found[], at: At): Promise<(id: string) => Promise<Found | undefined>> {
  const known = new Map(found.map((one) => [one.id, one]))
  const survivors = found.map((one) => linkedPatientId(one, 'replaced-by')).filter((id) => id !== undefined)
  const unknown = [...new Set(survivors)].filter((id) => !known.has(id))
  for (const part of partsOf(unknown)) for (const one of await searchIds(part, {}, at)) known.set(one.id, one)
  return async (id) => known.get(id) ?? (unknown.includes(id) ? undefined : (await searchIds([id], {}, at))[0])
}

interface Followed {
  readonly one: Found
  readonly trail: MergeTrail<Found>
}

async function note(followed: readonly Followed[], { look, deps }: At): Promise<void> {
  const { database, tables, clock, log, move } = deps
  const done = await database.transaction(async (tx) => {
    const now = clock.now()
    await keepTurn(look, now, tables, tx)
    const counts = { merged: 0, moved: 0, undone: 0, lost: 0 }
    for (const { one, trail } of followed) {
      const from = `Patient/${one.id}`
      const survivor = lastSurvivor(trail)
      if (survivor !== undefined) {
        const merge = { from, to: `Patient/${survivor.id}` }
        if (await noteMerge(merge, now, tables, tx)) counts.merged++
        counts.moved += await move(merge, tx)
      } else if (trail.end === 'stands') {
        if (await forgetMerge(from, tables, tx)) counts.undone++
      } else counts.lost++
    }
    return counts
  })
  if (done.merged > 0) log.info('patients were merged', { count: done.merged })
  if (done.moved > 0) log.info('records of merged patients follow', { count: done.moved })
  if (done.undone > 0)
    log.warn('a merge was undone: what followed the patient stays with the other', { count: done.undone })
  if (done.lost > 0) log.warn('merges lead to no record that stands', { count: done.lost })
}

function partsOf<One>(all: readonly One[]): readonly (readonly One[])[] {
  const count = Math.ceil(all.length / notedMax)
  return Array.from({ length: count }, (_, at) => all.slice(at * notedMax, (at + 1) * notedMax))
}
