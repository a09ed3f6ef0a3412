import type { Clock } from '../../../packages/clock/clock.ts'
import type { Claimed } from '../durable/claims.ts'
import type { BegunWork, CopyRow } from '../durable/copy-statements.ts'
import { fenced, type DurableStore, type EndRow } from '../durable/durable-store.ts'
import { laneClaims, type Entry, type PlaceRow } from '../durable/journal-statements.ts'
import type { Place } from '../durable/lane-place.ts'
import type { SettledWork, Settling } from '../durable/settling.ts'
import type { WrittenResource } from '../persist/written-resource.ts'

interface SeenEntry {
  readonly transactionId: string
  readonly seenMs: number
  readonly content: Buffer
  isRefused: boolean
  readonly parent: string | null
}

/** A row of `bridge.open_work`. */
interface OpenWork extends Place {
  readonly transactionId: string
  readonly isMain: boolean
  copy: string | null
  /** Infinity: when those before it are gone. */
  dueMs: number | null
  attempt: number
  readonly attemptLimit: number
  runs: number
}

interface LoggedEnd extends EndRow {
  readonly controlId: string
  readonly errorCode: string | undefined
  /** Which of its runs it was that ended so. */
  readonly endedRun: number
  /** How many of its runs called somebody. */
  readonly calls: number
  /** What others are told of because of it, as `Type/id/version`. */
  readonly told: readonly string[]
}

/**
 * The bridge's tables in memory: each method does what the SQL of the same name does, in one instant. That both do the
 * same is checked against PostgreSQL (`durable-store.test.ts`); what transactions do to each other half-way is not here.
 */
export class MemoryDurableStore implements DurableStore {
  readonly #clock: Pick<Clock, 'now'>
  readonly #seen = new Map<string, SeenEntry>()
  readonly #lanes = new Map<string, number>()
  readonly #journal = new Map<string, Entry & { readonly parent: string | null }>()
  #open: OpenWork[] = []
  readonly #copies = new Map<string, CopyRow & { untilMs: number }>()
  /** `bridge.transactions`, by id. */
  readonly ends = new Map<string, LoggedEnd>()

  /** @param clock the database's own, for leases */
  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock
  }

  /** Messages that are at work or parked, and under whose name, in the order of their tickets. */
  get openWork(): readonly Readonly<OpenWork>[] {
    return this.#open.toSorted((a, b) => (a.lane === b.lane ? a.ticket - b.ticket : a.lane < b.lane ? -1 : 1))
  }

  async journal(...[entries, { copy, now, windowMs }]: Parameters<DurableStore['journal']>) {
    const sinceMs = now.getTime() - windowMs
    for (const { key, transactionId, content } of entries) this.#remember(key, transactionId, content, now, sinceMs)
    const { lanes, counts, rows } = laneClaims(entries)
    for (const [index, lane] of lanes.entries()) {
      this.#lanes.set(lane, (this.#lanes.get(lane) ?? 0) + (counts[index] ?? 0))
    }
    const isFirst = ({ key, transactionId }: Entry) => this.#seen.get(hex(key))?.transactionId === transactionId
    for (const entry of entries.filter(isFirst)) {
      this.#journal.set(entry.transactionId, { ...entry, parent: this.#seen.get(hex(entry.key))?.parent ?? null })
    }
    for (const { entry, lane, isMain, behind } of rows.filter(({ entry: one }) => isFirst(one))) {
      const { transactionId, attemptLimit } = entry
      const ticket = (this.#lanes.get(lane) ?? behind) - behind
      this.#open.push({ lane, ticket, transactionId, isMain, copy, dueMs: null, attempt: 1, attemptLimit, runs: 1 })
    }
    const ids = new Set(entries.map(({ transactionId }) => transactionId))
    return {
      seen: entries.flatMap(({ key }) => {
        const found = this.#seen.get(hex(key))
        return found === undefined ? [] : [{ key, ...found }]
      }),
      places: this.#open.filter(({ transactionId }) => ids.has(transactionId)).map((row) => this.#placeRow(row, copy)),
    }
  }

  async settle(...[items, , { now: _now }]: Parameters<DurableStore['settle']>) {
    const worked = items.filter((item): item is Worked => item.work !== undefined)
    for (const { work } of worked) {
      const isOurs = (row: OpenWork | undefined) => row?.copy === work.copy && row.runs === work.run
      if (!work.places.every((place) => isOurs(this.#rowAt(place)))) throw fenced()
    }
    for (const item of worked) this.#noteRefusal(item)
    const done = worked.filter(({ work }) => work.park === undefined)
    const gone = new Set(done.flatMap(({ work }) => work.places.map((place) => this.#rowAt(place))))
    this.#open = this.#open.filter((row) => !gone.has(row))
    for (const { work } of worked) if (work.park !== undefined) this.#park(work.places, work.park)
    for (const { work } of done) if (work.wasParked) for (const { lane } of work.places) this.#wakeFirst(lane)
    for (const item of items) this.#log(item)
  }

  async endOf(transactionId: string): Promise<EndRow | undefined> {
    return this.ends.get(transactionId)
  }

  async claimDue(copy: string, limit: number, now: Date): Promise<Claimed[]> {
    if (!this.#copies.has(copy)) return []
    const due = this.#open
      .filter((row) => row.copy === null && row.isMain && row.dueMs !== null && row.dueMs <= now.getTime())
      .filter(({ transactionId }) => !this.#isBehind(transactionId))
      .toSorted((a, b) => (a.dueMs === b.dueMs ? 0 : (a.dueMs ?? 0) - (b.dueMs ?? 0)))
      .slice(0, limit)
    return due.map(({ transactionId }) => this.#claim(transactionId, copy))
  }

  async makeAllDue(now: Date): Promise<number> {
    const waiting = this.#parked().filter(({ dueMs }) => dueMs !== null && dueMs > now.getTime() && dueMs < never)
    for (const row of waiting) row.dueMs = now.getTime()
    return waiting.length
  }

  async letStrandedGo(): Promise<number> {
    const stranded = this.#parked().filter((row) => row.dueMs === never && !this.#isBehind(row.transactionId))
    for (const row of stranded) row.dueMs = atOnce
    return stranded.length
  }

  async queueState() {
    const times = this.#parked().map(({ transactionId }) => this.#journal.get(transactionId)?.receivedAt.getTime() ?? 0)
    return { depth: times.length, oldest: times.length === 0 ? null : new Date(Math.min(...times)) }
  }

  async lookAhead(transactionIds: readonly string[]) {
    return transactionIds.flatMap((transactionId) => {
      const own = this.#rowsOf(transactionId)
      if (own.length === 0) return []
      const ahead = own.flatMap((row) => this.#ahead(row))
      return [{ transactionId, isBlocked: ahead.length > 0, isBehindParked: ahead.some(({ copy }) => copy === null) }]
    })
  }

  async addCopy(...[id, { place, pid, startedAt }, leaseMs]: Parameters<DurableStore['addCopy']>) {
    this.#copies.set(id, { id, place, pid, startedAt, untilMs: this.#clock.now().getTime() + leaseMs })
  }

  async extendLease(id: string, leaseMs: number): Promise<boolean> {
    const copy = this.#copies.get(id)
    if (copy !== undefined) copy.untilMs = this.#clock.now().getTime() + leaseMs
    return copy !== undefined
  }

  async copiesAt(place: string): Promise<CopyRow[]> {
    return [...this.#copies.values()].filter((copy) => copy.place === place)
  }

  async takeOver(gone: readonly string[]): Promise<number> {
    const nowMs = this.#clock.now().getTime()
    for (const { id, untilMs } of this.#copies.values()) {
      if (gone.includes(id) || untilMs < nowMs) this.#copies.delete(id)
    }
    return this.#release(({ copy }) => copy !== null && !this.#copies.has(copy), true)
  }

  async unknownWork(copy: string, known: readonly string[]): Promise<BegunWork[]> {
    return this.#open
      .filter((row) => row.copy === copy && row.isMain && !known.includes(row.transactionId))
      .map(({ transactionId, runs: run }) => ({ transactionId, run }))
  }

  async release(copy: string, works: readonly BegunWork[]): Promise<number> {
    const isMeant = ({ transactionId, runs }: OpenWork) =>
      works.some((work) => work.transactionId === transactionId && work.run === runs)
    return this.#release((row) => row.copy === copy && isMeant(row), false)
  }

  #remember(key: Buffer, transactionId: string, content: Buffer, now: Date, sinceMs: number): void {
    const before = this.#seen.get(hex(key))
    if (before !== undefined && !before.isRefused && before.seenMs > sinceMs) return
    const parent = before?.isRefused === true && before.seenMs > sinceMs ? before.transactionId : null
    this.#seen.set(hex(key), { transactionId, seenMs: now.getTime(), content, isRefused: false, parent })
  }

  #placeRow(row: OpenWork, copy: string): PlaceRow {
    const ahead = this.#ahead(row)
    const isParked = ahead.some((one) => one.copy === null)
    const isOthers = ahead.some((one) => one.copy !== null && one.copy !== copy)
    return {
      ...{ transactionId: row.transactionId, lane: row.lane, ticket: String(row.ticket) },
      ahead: isParked ? 'parked' : isOthers ? 'others' : null,
      own: ahead.filter((one) => one.copy === copy).map((one) => String(one.ticket)),
    }
  }

  #noteRefusal({ finished, work }: Worked): void {
    const { transactionId, outcome } = finished
    const seen = this.#seen.get(hex(work.key))
    if (
      seen?.transactionId !== transactionId ||
      (outcome.status !== 'ERROR' && (work.run === 1 || work.staysRefused === true))
    )
      return
    seen.isRefused = outcome.status === 'ERROR'
  }

  #park(places: readonly Place[], park: NonNullable<SettledWork['park']>): void {
    for (const row of places.flatMap((place) => this.#rowAt(place) ?? [])) {
      row.copy = null
      row.attempt = park.attempt
      row.dueMs = !row.isMain ? null : this.#isBehind(row.transactionId) ? never : park.dueAt.getTime()
    }
  }

  #wakeFirst(lane: string): void {
    const first = this.#open.filter((row) => row.lane === lane).toSorted((a, b) => a.ticket - b.ticket)[0]
    const main = first && this.#rowsOf(first.transactionId).find(({ isMain }) => isMain)
    if (main?.copy === null && main.dueMs === never) main.dueMs = atOnce
  }

  #log({ finished, parent, ack, work }: Settling): void {
    const { transactionId, outcome, attempt, controlId, ackCode } = finished
    const before = this.ends.get(transactionId)
    const wasCalled = outcome.status !== 'DUPLICATE' && (outcome.status !== 'QUEUED' || outcome.wasCalled)
    const isRunAgain = work !== undefined && (work.run > 1 || work.park !== undefined)
    const isTaken =
      ackCode === 'AA' || ackCode === 'CA' || (isRunAgain && ['SUCCESS', 'QUEUED'].includes(outcome.status))
    this.ends.set(transactionId, {
      ...{ controlId, status: outcome.status, attempts: attempt, ackCode: before?.ackCode ?? ackCode ?? null },
      parent: before === undefined ? (outcome.status === 'DUPLICATE' ? outcome.of : (parent ?? null)) : before.parent,
      ack: before?.ack ?? (ack === undefined ? null : Buffer.from(ack)),
      wasAccepted: before?.wasAccepted === true || isTaken,
      endedRun: work?.run ?? 1,
      errorCode: 'errorCode' in outcome ? outcome.errorCode : undefined,
      calls: (before?.calls ?? 0) + (wasCalled ? 1 : 0),
      told: outcome.status === 'SUCCESS' ? outcome.resources.map(toldOf) : [],
    })
  }

  #claim(transactionId: string, copy: string): Claimed {
    const rows = this.#rowsOf(transactionId)
    for (const row of rows) Object.assign(row, { copy, dueMs: null, runs: row.runs + 1 })
    const [{ attempt, attemptLimit, runs } = { attempt: 1, attemptLimit: 1, runs: 1 }] = rows
    // Sound: what is open was journaled.
    const entry = this.#journal.get(transactionId) as Entry & { readonly parent: string | null }
    const end = this.ends.get(transactionId)
    return {
      ...{ transactionId, channelId: entry.channelId, attempt, attemptLimit, run: runs },
      runsWithoutEnd: runs - (end?.endedRun ?? 0),
      places: rows.map(({ lane, ticket }) => ({ lane, ticket })),
      ...{ raw: Buffer.from(entry.bytes), peer: entry.peer, receivedAt: entry.receivedAt },
      parent: entry.parent ?? undefined,
      status: end?.status,
      termsVersion: '0',
      // Nobody asks for anything again here.
      wasEnded: false,
      hasSucceeded: false,
      wasAccepted: end?.status === 'QUEUED',
    }
  }

  #release(isFree: (row: OpenWork) => boolean, followsOrder: boolean): number {
    const rows = this.#open.filter(isFree)
    for (const row of rows) {
      const waits = followsOrder && this.#isBehind(row.transactionId)
      row.copy = null
      row.dueMs = !row.isMain ? null : waits ? never : atOnce
    }
    return rows.length
  }

  #parked = () => this.#open.filter(({ copy, isMain }) => copy === null && isMain)
  #rowsOf = (transactionId: string) => this.#open.filter((row) => row.transactionId === transactionId)
  #rowAt = ({ lane, ticket }: Place) => this.#open.find((row) => row.lane === lane && row.ticket === ticket)
  #ahead = ({ lane, ticket }: Place) => this.#open.filter((row) => row.lane === lane && row.ticket < ticket)
  #isBehind = (transactionId: string) => this.#rowsOf(transactionId).some((row) => this.#ahead(row).length > 0)
}

type Worked = Settling & { readonly work: SettledWork }

const toldOf = ({ reference, versionId = '' }: WrittenResource) => `${reference}/${versionId}`

const never = Number.POSITIVE_INFINITY
const atOnce = Number.NEGATIVE_INFINITY
const hex = (key: Buffer) => key.toString('hex')
