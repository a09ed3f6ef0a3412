import { isPatientsWord } from '../../../packages/fhir/patients-word.ts'
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
  // Patients may write Provenances of their record; they do not say what a sender has said since.
  const later = found.filter((other) => isOfSameKind(own, other) && !isPatientsWord(other)).flatMap(targetsOf)
  return {
    spokenOf: placesOf(later.filter((one) => !isMentionedPatient(one))),
    statusSaid: placesOf(later.filter(({ trigger }) => saysStatus(trigger))),
    deathSaid: placesOf(later.filter(isMentionedPatient)),
  }
}

/** The newest of them name everything that the sender speaks of in its messages of one kind. */
const laterMax = 50

const systemOf = ({ meta }: Provenance): string => meta?.tag?.[0]?.system ?? ''

/** An admission says nothing about results, nor does a result about the ward: A01 and A08 are of a kind, R01 is not. */
const isOfSameKind = (own: Provenance, other: Provenance): boolean =>
  systemOf(other) === systemOf(own) && triggerOf(other)?.[0] === triggerOf(own)?.[0]

const triggerOf = ({ activity }: Provenance): string | undefined => activity?.coding?.[0]?.code

interface Target {
  /** As `Type/id`. */
  readonly place: string
  /** Of the message that speaks of it. */
  readonly trigger: string | undefined
}

const targetsOf = (provenance: Provenance): readonly Target[] =>
  provenance.target.flatMap(({ reference }) => {
    const place = reference?.split('/_history')[0]
    return place === undefined ? [] : [{ place, trigger: triggerOf(provenance) }]
  })

const isMentionedPatient = ({ place, trigger }: Target): boolean =>
  place.startsWith('Patient/') && !saysPatient(trigger)

const placesOf = (targets: readonly Target[]): ReadonlySet<string> => new Set(targets.map(({ place }) => place))
