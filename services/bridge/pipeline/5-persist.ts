import { faultOf } from '../../../packages/faults/fault.ts'
import type { FhirStore } from '../../../ports/fhir-store/fhir-store.ts'
import type { PatientIndex } from '../../../ports/patient-index/patient-index.ts'
import type { Breakers } from '../breakers/breakers.ts'
import type { Mapped } from '../mapping/mapped.ts'
import { withConsequences } from '../persist/consequences.ts'
import { findStored } from '../persist/find-stored.ts'
import type { Stored, StoredResource } from '../persist/stored.ts'
import { formerPatients } from '../persist/former-patients.ts'
import { areOthers, withLinksSince } from '../persist/links-since.ts'
import { planWrites, type Plan } from '../persist/plan-writes.ts'
import { mayBeLate, saidLater } from '../persist/said-later.ts'
import { sendWrites, type Written } from '../persist/send-writes.ts'
import { withoutToldTwice } from '../persist/told-in-panels.ts'
import { welcomeNewcomers } from '../persist/welcome-newcomers.ts'
import type { WrittenResource } from '../persist/written-resource.ts'
import type { Person } from '../mapping/person.ts'
import type { Governed } from './4-govern.ts'
import type { Received } from './received.ts'
import { isStop, type Stop } from './stop.ts'
import { stoppedByStore } from './stopped-by-store.ts'

/** PERSIST promises: the store holds what the message says, once, however often the message is run. */
export interface Persisted {
  readonly resources: readonly WrittenResource[]
  /** `Type/id` of every resource of the message, by `fullUrl`, also of those that stayed as they were. */
  readonly references: ReadonlyMap<string, string>
  readonly people: readonly Person[]
  /** Of whom something was that is another's now, as `Patient/…`. */
  readonly formerPatients: readonly string[]
  readonly isStale: boolean
  readonly formerNumbers: number
}

export interface PersistDeps {
  readonly base: string
  readonly store: FhirStore
  readonly isOwnStore: boolean
  readonly index: PatientIndex
  readonly breakers: Pick<Breakers, 'call'>
}

export interface ToPersist {
  readonly received: Received
  readonly mapped: Mapped
  readonly people: readonly Person[]
  /** What ENRICH found. */
  readonly stored: Stored
  /** GOVERN once more, for people who have become other records since. */
  readonly governAgain: (people: readonly Person[]) => Promise<Governed | Stop>
}

/** Somebody else wrote in between: read again and join again, but not for ever. */
const triesMax = 4

export async function persist(message: ToPersist, deps: PersistDeps): Promise<Persisted | Stop> {
  const { received, mapped, people: recognised } = message
  try {
    const welcomed = await welcomeNewcomers(mapped.writes, recognised, message.stored, received.signal, deps)
    let { stored } = message
    let governed = welcomed.people
    for (let tries = 1; ; tries++) {
      if (tries > 1) stored = await findStored(welcomed.writes, received.signal, deps)
      const { writes, people } = tries === 1 ? welcomed : withLinksSince(welcomed, message.stored, stored)
      if (areOthers(people, governed)) {
        const again = await message.governAgain(people)
        if (isStop(again)) return again
        governed = people
      }
      const all = await withConsequences({ writes, stored }, received.signal, deps)
      const told = withoutToldTwice(all.writes, all.stored)
      const plan = await planInTime({ ...mapped, writes: told }, all.stored, received, deps)
      received.checkHeld()
      // Whoever was told that it took too long sends it again: nothing of it may come after what it becomes then.
      received.signal.throwIfAborted()
      const written = await sendUnlessOvertaken(plan, tries < triesMax, received.signal, deps)
      const wasBegun = received.run > 1 || received.wasRefused || (tries > 1 && !deps.isOwnStore)
      const found = wasBegun ? storedBefore(plan, received) : []
      if (written !== undefined) return persisted(plan, written, found, people)
    }
  } catch (thrown) {
    return stoppedByStore(faultOf(thrown))
  }
}

/** What a later message has said again stays, as if it had been written then. */
async function planInTime(mapped: Mapped, stored: Stored, received: Received, deps: PersistDeps): Promise<Plan> {
  const plan = planWrites(mapped, stored, deps.base)
  const later = mayBeLate(mapped, received) ? await saidLater(mapped, plan, received.signal, deps) : undefined
  return later === undefined || later.spokenOf.size + later.deathSaid.size === 0
    ? plan
    : planWrites(mapped, stored, deps.base, later)
}

async function sendUnlessOvertaken(
  plan: Plan,
  mayTryAgain: boolean,
  signal: AbortSignal,
  deps: PersistDeps,
): Promise<Written | undefined> {
  // The circuit learns nothing from a call that would ask nobody.
  if (plan.writes.length === 0) return new Map()
  try {
    return await deps.breakers.call('fhir-server', () => sendWrites(plan, signal, deps), signal)
  } catch (thrown) {
    const fault = faultOf(thrown)
    if (mayTryAgain && fault.kind === 'conflict' && fault.code !== 'MULTIPLE_MATCHES') return undefined
    throw fault
  }
}

/**
 * What an earlier run stored before it was cut off, or took too long for its sender, stays as it is now, and has still to
 * be told of. What is only made sure of may be anybody's; it can be that run's where it has not been there for long.
 */
function storedBefore({ unchanged, ensured }: Plan, { receivedAt, wasRefused }: Received): WrittenResource[] {
  const sinceMs = receivedAt.getTime() - (wasRefused ? rememberedMs : clocksDifferMs)
  const isYoung = ({ meta }: StoredResource) => !(Date.parse(meta?.lastUpdated ?? '') < sinceMs)
  const stored = [...unchanged, ...ensured.filter(isYoung)].map(asWritten)
  return [...new Map(stored.map((one) => [one.reference, one])).values()]
}

/** For so long a refused message is known when it comes again. */
const rememberedMs = 24 * 3_600_000
/** The store's times are not ours. */
const clocksDifferMs = 5 * 60_000

/** Told of under the version that it has: who has heard of that one is not told twice. */
function asWritten({ resourceType: type, id, meta }: StoredResource): WrittenResource {
  const { versionId } = meta ?? {}
  return {
    ...{ reference: `${type}/${id}`, type, operation: versionId === '1' ? 'create' : 'update' },
    ...(versionId === undefined ? {} : { versionId }),
  }
}

function persisted(
  plan: Plan,
  written: Written,
  found: readonly WrittenResource[],
  people: readonly Person[],
): Persisted {
  const references = new Map([
    ...plan.references,
    ...[...written].map(([url, { reference }]) => [url, reference] as const),
  ])
  return {
    resources: [...written.values(), ...found],
    references,
    people: people.map((person) => {
      const id = references.get(person.fullUrl)?.split('/')[1]
      return id === undefined ? person : { ...person, id }
    }),
    formerPatients: formerPatients(plan),
    isStale: plan.isStale,
    formerNumbers: plan.formerNumbers,
  }
}
