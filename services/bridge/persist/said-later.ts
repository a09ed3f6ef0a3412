import type { Provenance } from '../../../packages/fhir/r4.ts'
import type { FhirStore } from '../../../ports/fhir-store/fhir-store.ts'
import type { Breakers } from '../breakers/breakers.ts'
import { saysPatient, saysStatus } from '../mapping/families/adt/events.ts'
import type { Mapped } from '../mapping/mapped.ts'
import { ifAble } from './if-able.ts'
import type { SaidLater } from './late-writes.ts'
import type { Plan } from './plan-writes.ts'
import { hasTime } from './stale.ts'
import { referenceTo } from './stored.ts'

/**
 * A resource tells when it was last changed, not when it was last said again: that only the Provenance of the later
 * message tells. Asking for it costs a search, so it is asked only where another message can have been before. What is
 * parked has kept its place before those that came after it.
 */
export function mayBeLate({ saidAt }: Mapped, { wasEnded, receivedAt }: Arrived): boolean {
  return saidAt !== undefined && hasTime(saidAt) && (wasEnded || receivedAt.getTime() - Date.parse(saidAt) > promptMs)
}

interface Arrived {
  /** It was through once, and is run again. */
  readonly wasEnded: boolean
  readonly receivedAt: Date
}

/** Sooner than this a message can hardly have been overtaken by one of the same sender. */
const promptMs = 60_000

export interface SaidLaterDeps {
  readonly store: FhirStore
  readonly breakers: Pick<Breakers, 'call'>
}

/** Of what is to be changed, as `Type/id`, what the sender has spoken of in a later message of the same kind. */
export async function saidLater(
  { writes }: Mapped,
  plan: Plan,
  signal: AbortSignal,
  deps: SaidLaterDeps,
): Promise<SaidLater | undefined> {
  const own = writes.map(({ resource }) => resource).find((resource) => resource.resourceType === 'Provenance')
  const brought = new Set(writes.filter(({ broughtBy }) => broughtBy !== undefined).map(({ fullUrl }) => fullUrl))
  const changed = plan.writes.flatMap(({ stored, fullUrl }) =>
    stored === undefined || brought.has(fullUrl) ? [] : [referenceTo(stored)],
  )
  if (own === undefined || changed.length === 0) return undefined
  const criteria = {
    ...{ target: changed.join(','), recorded: `gt${own.recorded}`, _tag: `${systemOf(own)}|` },
    ...{ _sort: '-recorded', _count: String(laterMax) },
  }
  // Where the server cannot search so, only what was changed later is known.
  const found = await ifAble(() => deps.store.search<Provenance>('Provenance', criteria, { signal }), signal, deps)
  const later = found.filter((other) => isOfSameKind(own, other))
  const [wholly, mentioning] = [true, false].map((isWhole) =>
    later.filter((other) => saysPatient(triggerOf(other)) === isWhole),
  )
  const mentioned = targetsOf(mentioning ?? [])
  return {
    spokenOf: new Set([...targetsOf(wholly ?? []), ...[...mentioned].filter((place) => !isOfPatient(place))]),
    statusSaid: targetsOf(later.filter((other) => saysStatus(triggerOf(other)))),
    deathSaid: new Set([...mentioned].filter(isOfPatient)),
  }
}

/** The newest of them name everything that the sender speaks of in its messages of one kind. */
const laterMax = 50

const systemOf = ({ meta }: Provenance): string => meta?.tag?.[0]?.system ?? ''

/** An admission says nothing about results, nor does a result about the ward: A01 and A08 are of a kind, R01 is not. */
const isOfSameKind = (own: Provenance, other: Provenance): boolean =>
  systemOf(other) === systemOf(own) && triggerOf(other)?.[0] === triggerOf(own)?.[0]

const isOfPatient = (place: string): boolean => place.startsWith('Patient/')

const triggerOf = ({ activity }: Provenance): string | undefined => activity?.coding?.[0]?.code

const targetsOf = (found: readonly Provenance[]): ReadonlySet<string> =>
  new Set(found.flatMap(({ target }) => target.flatMap(({ reference }) => reference?.split('/_history')[0] ?? [])))
