import { Fault, faultOf } from '../../../packages/faults/fault.ts'
import type { Patient } from '../../../packages/fhir/r4.ts'
import { zoneNamed, type Zone } from '../../../packages/hl7/index.ts'
import type { Facility, FacilityRegistry } from '../../../ports/facility-registry/facility-registry.ts'
import type { FhirStore } from '../../../ports/fhir-store/fhir-store.ts'
import { goldenIdOf, linkedPatientId } from '../../../ports/patient-index/golden-link.ts'
import type { PatientIndex, Resolution } from '../../../ports/patient-index/patient-index.ts'
import type { Breakers } from '../breakers/breakers.ts'
import type { MappingContext } from '../mapping/context.ts'
import { isLinkedByIndex, recordsForIndex } from '../mapping/golden-link.ts'
import { mapMessage } from '../mapping/map-message.ts'
import type { Mapped, Write } from '../mapping/mapped.ts'
import { findFurther, findStored } from '../persist/find-stored.ts'
import type { Stored } from '../persist/stored.ts'
import { unnamedPatients, type StoredPatient } from '../persist/unnamed-patients.ts'
import { knownAs } from '../persist/known-as.ts'
import type { Enriched } from './enriched.ts'
import { senderOf } from './header.ts'
import type { Person } from '../mapping/person.ts'
import type { Received } from './received.ts'
import { isStop, nack, refusedByMapping, unanswered, type Stop } from './stop.ts'
import { stoppedByStore } from './stopped-by-store.ts'
import { zoneOfMessage } from './zone-of-message.ts'

export interface EnrichDeps {
  readonly base: string
  /** Behind a circuit breaker of its own, and remembered. */
  readonly facilities: FacilityRegistry
  readonly index: PatientIndex
  readonly store: FhirStore
  readonly breakers: Pick<Breakers, 'call'>
  /** Making a zone takes longer than mapping a segment, so each is made once. Undefined where there is none of that name. */
  readonly zoneOf: (name: string) => Zone | undefined
}

/** What it needs to know of a message: it can begin as soon as the bytes are read. */
export type ToEnrich = Pick<Received, 'message' | 'channel' | 'receivedAt' | 'signal'>

export async function enrich(asked: ToEnrich, deps: EnrichDeps): Promise<Enriched | Stop> {
  const facility = await facilityOf(asked, deps)
  return isStop(facility) ? facility : enrichOf(facility, asked, deps)
}

/**
 * The same for a message that is not in the journal yet: it reads and leaves no trace. Undefined for a sender whom the
 * registry has to be asked about, because it may register it.
 */
export function foresee(asked: Omit<ToEnrich, 'signal'>, deps: EnrichDeps): Promise<Enriched | Stop> | undefined {
  const code = facilityCodeOf(asked)
  const facility = code === undefined ? undefined : deps.facilities.remembered?.(code)
  return facility && enrichOf(facility, { ...asked, signal: untilTheEnd }, deps)
}

/** Whoever works on the message has a signal of its own, and stops waiting when that says so. */
const untilTheEnd = new AbortController().signal

async function enrichOf(facility: Facility, asked: ToEnrich, deps: EnrichDeps): Promise<Enriched | Stop> {
  const first = contextOf(asked, facility, deps.base, deps.zoneOf)
  if (first === undefined) return zoneUnknown(facility)
  const asSent = mapMessage(asked.message, first)
  if (asSent.refused !== undefined) return refusedByMapping(asSent.refused)
  const patients = patientsOf(asSent)
  // Neither waits for the other: both are questions about what the message says.
  const [recognised, known] = await Promise.all([
    recognise(patients, asked, deps),
    findKnown(asSent, first, asked, deps).catch(faultOf),
  ])
  // Whose record it is, and so whom to ask for consent, only the store knows: a message that it did not answer waits, also
  // when it would answer the next question. Most stores are the index too, and the one takes the other with it.
  if (known instanceof Fault) return stoppedByStore(known)
  if ('status' in recognised) return recognised
  const told = await toldApart(recognised, { patients, stored: known.stored }, asked, deps)
  if (isStop(told)) return told
  const people = patients.map((write) => personOf(write, told, known.stored))
  const unnamed = await peopleUnnamed(people, known, asked, deps)
  return isStop(unnamed) ? unnamed : { facility, ...known, people: [...people, ...unnamed] }
}

/** Whom the message is about without a word of them: they are asked for consent like everybody else. */
async function peopleUnnamed(
  people: readonly Person[],
  { sketch, stored }: Pick<Enriched, 'sketch' | 'stored'>,
  asked: ToEnrich,
  deps: EnrichDeps,
): Promise<readonly Person[] | Stop> {
  const named = new Set(people.map(({ id }) => id))
  const records = await unnamedPatients(sketch.writes, stored, named, asked.signal, deps).catch(faultOf)
  if (records instanceof Fault) return stoppedByStore(records)
  const found = new Map(records.map((record) => [`Patient/${record.id}`, record]))
  const writes = records.map(asWritten)
  const recognised = await recognise(writes, asked, deps)
  if (isStop(recognised)) return recognised
  // Also another record of somebody whom it names: who refuses on that one refuses there.
  return writes.map((write) => personOf(write, recognised, found))
}

/** As the index is asked of whom a message names: by what is known of them, and not by what our store gave them. */
function asWritten({ id, meta: _meta, link, ...said }: StoredPatient): Write {
  const survivor = link?.filter(({ type }) => type === 'replaced-by') ?? []
  return {
    ...{ fullUrl: `Patient/${id}`, key: { parameter: 'identifier', system: '', value: '' }, mode: 'upsert' },
    resource: { ...said, ...(survivor.length === 0 ? {} : { link: survivor }) },
    ...{ defaults: {}, deletes: [], removes: [] },
  }
}

/** What the store has; and the message as the store knows what it speaks of, where that is by other numbers. */
async function findKnown(
  asSent: Mapped,
  context: MappingContext,
  { message, signal }: ToEnrich,
  deps: EnrichDeps,
): Promise<Pick<Enriched, 'context' | 'sketch' | 'stored'>> {
  const stored = await findStored(asSent.writes, signal, deps)
  const known = knownAs(asSent.writes, stored)
  if (known.size === 0) return { context, sketch: asSent, stored }
  const asKnown = { ...context, knownAs: known }
  const sketch = mapMessage(message, asKnown)
  // Sound: it was not refused before, and numbers are no reason to.
  if (sketch.refused !== undefined) return { context, sketch: asSent, stored }
  const further = await findFurther(sketch.writes, { sought: asSent.writes, stored }, signal, deps)
  return { context: asKnown, sketch, stored: further }
}

/** The writes of the patients, the one in whose name the message is governed first. */
function patientsOf({ patients, writes }: Mapped): Write[] {
  const meant = writes.filter(({ resource }) => resource.resourceType === 'Patient')
  const byUrl = new Map(meant.map((write) => [write.fullUrl, write]))
  return patients.flatMap((fullUrl) => byUrl.get(fullUrl) ?? [])
}

interface Sought {
  readonly patients: readonly Write[]
  readonly stored: Stored
}

/**
 * Who is sent with a number of a relative's record as well (the mother's, in the list of her child) is not the relative, though the
 * index knows the number: it is asked once more, without what stays with others.
 */
async function toldApart(
  recognised: ReadonlyMap<string, Resolution>,
  { patients, stored }: Sought,
  asked: ToEnrich,
  deps: EnrichDeps,
): Promise<ReadonlyMap<string, Resolution> | Stop> {
  const isMistaken = ({ fullUrl }: Write) => {
    const [found, there] = [recognised.get(fullUrl), recordIn(stored, fullUrl)]
    return found !== undefined && (there === undefined || found.goldenId !== goldenIdOf(there))
  }
  const mistaken = patients.filter((write) => stored.taken?.has(write.fullUrl) === true && isMistaken(write))
  if (mistaken.length === 0) return recognised
  const again = await recognise(mistaken, asked, deps, stored)
  if (isStop(again)) return again
  const isToldApart = new Set(mistaken.map(({ fullUrl }) => fullUrl))
  return new Map([...[...recognised].filter(([fullUrl]) => !isToldApart.has(fullUrl)), ...again])
}

/**
 * A stored record has the golden record that it has, for four reasons: the index is not asked about it, it was found in
 * the place of one that was merged away, or numbers of it belong to several or to another record. So has one as whom the index
 * recognises nobody: it is the same record, whatever it says now.
 */
function personOf(write: Write, recognised: ReadonlyMap<string, Resolution>, stored: Stored): Person {
  const { fullUrl } = write
  const there = recordIn(stored, fullUrl)
  const found = recognised.get(fullUrl)
  const rivals = found?.rivals ?? []
  const linked = there === undefined ? undefined : linkedPatientId(there, 'refer')
  const isUnasked = !isLinkedByIndex(write)
  const isSurvivor = stored.replaced?.has(fullUrl) === true
  // The golden record that it refers to may have been replaced since; the index then names the one in its place.
  const isOfSeveral = rivals.length > 0 && (linked !== undefined || (there !== undefined && rivals.includes(there.id)))
  const taken = stored.taken?.get(fullUrl) ?? []
  const isAsItIs = there !== undefined && (isUnasked || isSurvivor || isOfSeveral || taken.length > 0)
  const goldenId = isAsItIs ? goldenIdOf(there) : (found?.goldenId ?? linked)
  const goldenBefore = found?.goldenId === goldenId ? found?.goldenBefore : undefined
  return {
    fullUrl,
    ...(there === undefined ? {} : { id: there.id }),
    ...(goldenId === undefined ? {} : { goldenId }),
    ...(goldenBefore === undefined ? {} : { goldenBefore }),
    ...(rivals.length === 0 && !taken.some(({ isDoubtful }) => isDoubtful) ? {} : { isDoubtful: true }),
  }
}

// Sound: the store was asked for a Patient.
const recordIn = (stored: Stored, fullUrl: string) =>
  stored.get(fullUrl) as (Patient & { readonly id: string }) | undefined

/** MSH-4, else the channel's own. */
export const facilityCodeOf = ({ message, channel }: Pick<Received, 'message' | 'channel'>): string | undefined =>
  senderOf(message) ?? channel.defaultFacility

async function facilityOf(asked: ToEnrich, { facilities }: EnrichDeps): Promise<Facility | Stop> {
  const code = facilityCodeOf(asked)
  const location = { segment: 'MSH', sequence: 1, field: 4 }
  if (code === undefined) {
    const text = 'MSH-4, the sending facility, is empty, and this channel has no facility of its own.'
    return nack('FACILITY_MISSING', text, { code: 'AE', hl7Code: '101', location })
  }
  try {
    const found = await facilities.find([code], { signal: asked.signal })
    const unknown = 'The sending facility of MSH-4 is not in the facility registry. Ask the operator to register it.'
    return found.get(code) ?? nack('UNKNOWN_FACILITY', unknown, { code: 'AE', hl7Code: '204', location })
  } catch (thrown) {
    return unanswered('FACILITY_REGISTRY_UNAVAILABLE', 'The facility registry', thrown)
  }
}

/** Another zone than theirs would be another time: nothing is written until somebody corrects it. */
const zoneUnknown = ({ code, timeZone }: Facility): Stop =>
  nack(
    'FACILITY_ZONE_UNKNOWN',
    `The facility registry has "${timeZone}" for the time zone of ${code}, and there is none of that name. Ask the operator to correct it.`,
    { code: 'AE', location: { segment: 'MSH', sequence: 1, field: 4 } },
  )

/** What the mapping is told of the sender and the channel; undefined where the sender has a zone that is none. */
export function contextOf(
  { channel, receivedAt, message }: Pick<Received, 'channel' | 'receivedAt' | 'message'>,
  facility: Facility,
  base: string,
  zoneOf: EnrichDeps['zoneOf'] = zoneNamed,
): MappingContext | undefined {
  const { code, organization, namespaces, timeZone } = facility
  const zone = timeZone === undefined ? (zoneOfMessage(message) ?? channel.zone) : zoneOf(timeZone)
  if (zone === undefined) return undefined
  return {
    base,
    facility: { code, organization, namespaces },
    zone,
    settings: channel.mapping,
    terms: new Map(),
    receivedAt,
  }
}

/** Those who have a golden record, by `fullUrl`. A newcomer gets one only when consent has been asked. */
async function recognise(
  patients: readonly Write[],
  { signal }: ToEnrich,
  { index, breakers }: EnrichDeps,
  { taken }: Pick<Stored, 'taken'> = {},
): Promise<ReadonlyMap<string, Resolution> | Stop> {
  const asked = patients.filter(isLinkedByIndex)
  if (asked.length === 0) return new Map()
  try {
    const records = recordsForIndex(asked, patients, taken)
    const found = await breakers.call('patient-index', () => index.recognise(records, { signal }), signal)
    return new Map(
      asked.flatMap(({ fullUrl }, at) => {
        const resolution = found[at]
        return resolution === undefined ? [] : [[fullUrl, resolution] as const]
      }),
    )
  } catch (thrown) {
    // A wrong person would be worse than a message that comes later.
    return unanswered('PATIENT_INDEX_UNAVAILABLE', 'The patient index', thrown)
  }
}
