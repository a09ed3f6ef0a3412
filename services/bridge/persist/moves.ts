import type { FhirResource, Patient, Reference } from '../../../packages/fhir/r4.ts'
import { mergeTrail } from '../../../ports/patient-index/merge-trail.ts'
import { type Node, valueAt } from '../mapping/element-path.ts'
import type { Write } from '../mapping/mapped.ts'
import { patientOf, patientsOf } from '../mapping/patient-of.ts'
import { type Brought, withBrought, type WrittenTo } from './brought.ts'
import type { FindDeps } from './find-deps.ts'
import { brings, ofVisit } from './of-visit.ts'
import { findByIds, findResults, resultIdsOf } from './results-of-report.ts'
import { referenceTo, type Stored, type StoredResource } from './stored.ts'

/**
 * What is said to be another patient's than before moves as a whole. A result that is sent again for the right patient
 * has not been found in a visit of the wrong one, and its order goes with it; a report takes along its results, and a visit
 * (A45) what refers to it; and all of them their specimens and files. A patient who was merged into the other is no other.
 */
export async function withMoves(
  writes: readonly Write[],
  stored: Stored,
  signal: AbortSignal,
  deps: FindDeps,
): Promise<WrittenTo> {
  const said = movesIn(writes, stored)
  if (said.length === 0) return { writes, stored }
  // Nearly always one pair of patients, however many results of theirs there are.
  const pairs = new Map(said.map((move) => [pairOf(move), move]))
  const isOther = await Promise.all([...pairs.values()].map((move) => isAnotherPatient(move, signal, deps)))
  const others = new Set([...pairs.keys()].filter((_, at) => isOther[at]))
  const moves = said.filter((move) => others.has(pairOf(move)))
  const movers: Movers = {
    writes: new Set(moves.map(({ write }) => write)),
    ways: new Set(moves.map(({ from, to }) => wayOf(from, to.reference))),
  }
  const known = new Set([...stored.values()].map(referenceTo))
  const isUntold = (resource: StoredResource) => !known.has(referenceTo(resource))
  const found = await Promise.all(
    moves.map(async (move) => {
      const along = await takenAlong(move, known, signal, deps)
      return { move, along: along.filter(({ resource }) => isUntold(resource)) }
    }),
  )
  const parts = await Promise.all(
    [...Map.groupBy(found, ({ move }) => pairOf(move)).values()].map((ofPair) =>
      partsOf(ofPair, isUntold, signal, deps),
    ),
  )
  const brought = [...found.flatMap(({ along }) => along), ...parts.flat()]
  return withBrought(
    writes.map((write) => moved(write, movers, stored)),
    stored,
    [...new Map(brought.map((one) => [one.write.fullUrl, one])).values()],
  )
}

async function takenAlong(
  move: Move,
  known: ReadonlySet<string>,
  signal: AbortSignal,
  deps: FindDeps,
): Promise<readonly Brought[]> {
  if (move.before.resourceType === 'Encounter') return broughtBy(move, signal, deps)
  return move.before.resourceType === 'DiagnosticReport' ? resultsOf(move, known, signal, deps) : []
}

interface Along {
  readonly move: Move
  readonly along: readonly Brought[]
}

/** The specimens and files of what goes from one patient to another. */
async function partsOf(
  moves: readonly Along[],
  isUntold: (one: StoredResource) => boolean,
  signal: AbortSignal,
  deps: FindDeps,
): Promise<readonly Brought[]> {
  const [first] = moves
  const going = moves.flatMap(({ move, along }) => [move.before, ...along.map(({ resource }) => resource)])
  const named = new Set(going.flatMap(partsNamedBy))
  const idsOf = (type: string) =>
    [...named].flatMap((reference) => {
      const [ofType, id] = reference.split('/')
      return ofType === type && id !== undefined ? [id] : []
    })
  const found = await Promise.all(
    (['Specimen', 'DocumentReference'] as const).map(async (type) => {
      const ids = idsOf(type)
      return ids.length === 0 ? [] : findByIds<StoredResource>(type, ids, signal, deps)
    }),
  )
  return found
    .flat()
    .filter((one) => isUntold(one) && patientOf(one)?.reference === first?.move.from)
    .flatMap((one) => (first === undefined ? [] : [brings(one, { subject: first.move.to }, first.move.write)]))
}

function partsNamedBy(one: StoredResource): string[] {
  // Sound: results, reports and orders have specimens, results have files; what has neither names none.
  const { specimen = [], derivedFrom = [] } = one as {
    readonly specimen?: Reference | readonly Reference[]
    readonly derivedFrom?: readonly Reference[]
  }
  return [specimen, derivedFrom].flat().flatMap(({ reference }) => reference ?? [])
}

interface Move {
  readonly write: Write
  readonly before: StoredResource
  /** `Patient/…` as it is stored. */
  readonly from: string
  /** As the message refers to whom it belongs now, and as they are stored, if they are. */
  readonly to: Reference
  readonly toStored: string
}

const pairOf = ({ from, toStored }: Move): string => `${from} ${toStored}`

/** What moves, and from whom to whom. */
interface Movers {
  readonly writes: ReadonlySet<Write>
  readonly ways: ReadonlySet<string>
}

const wayOf = (from: string | undefined, to: string | undefined): string => `${from} ${to}`

function movesIn(writes: readonly Write[], stored: Stored): Move[] {
  const moves: Move[] = []
  for (const write of writes) {
    const before = write.mode === 'ensure' ? undefined : stored.get(write.fullUrl)
    if (before === undefined) continue
    const said = patientsOf(write.resource)
    const there = patientsOf(before).map(({ reference }) => reference)
    const [[to], [from]] = [said, there]
    if (to?.reference === undefined || from === undefined) continue
    const now = said.map(({ reference = '' }) => settled(reference, stored))
    // An appointment of several that has kept one of them is still theirs.
    if (now.some((one) => there.includes(one))) continue
    moves.push({ write, before, from, to, toStored: settled(to.reference, stored) })
  }
  return moves
}

function settled(reference: string, stored: Stored): string {
  const there = stored.get(reference)
  return there === undefined ? reference : referenceTo(there)
}

async function isAnotherPatient(
  { from, toStored }: Move,
  signal: AbortSignal,
  { store, breakers }: FindDeps,
): Promise<boolean> {
  const [type, id = ''] = from.split('/')
  if (type !== 'Patient') return true
  const read = (wanted: string) =>
    breakers.call('fhir-server', () => store.read<Patient>('Patient', wanted, { signal }), signal)
  const record = await read(id)
  if (record === undefined) return true
  const { survivors } = await mergeTrail(record, read)
  return !survivors.some((survivor) => `Patient/${survivor.id}` === toStored)
}

/** The write of what moves, without the visit or the reason that nobody said; an order beside it says whose it is now. */
function moved(write: Write, movers: Movers, stored: Stored): Write {
  if (movers.writes.has(write)) {
    const left = write.resource.resourceType === 'Appointment' ? unsaid(write, ofAppointment) : unsaidVisit(write)
    return { ...write, deletes: [...write.deletes, ...left] }
  }
  const before = write.mode === 'ensure' ? undefined : stored.get(write.fullUrl)
  const subject = before && patientOf(write.defaults)
  const from = before && patientOf(before)?.reference
  if (subject?.reference === undefined || patientOf(write.resource) !== undefined) return write
  if (!movers.ways.has(wayOf(from, subject.reference))) return write
  const { encounter } = write.defaults as { encounter?: Reference }
  // Sound: what an order may say by default, it may say.
  const resource = { ...write.resource, subject, ...(encounter === undefined ? {} : { encounter }) } as FhirResource
  return { ...write, resource, deletes: [...write.deletes, ...unsaidVisit({ resource })] }
}

const unsaidVisit = (write: Pick<Write, 'resource'>): string[] => unsaid(write, ['encounter', 'context.encounter'])

/** The diagnosis and the order for which the wrong patient was to come. */
const ofAppointment = ['reasonReference', 'basedOn']

const unsaid = ({ resource }: Pick<Write, 'resource'>, paths: readonly string[]): string[] =>
  paths.filter((path) => valueAt(resource as unknown as Node, path) === undefined)

/** The results of a report that the message does not tell again: they were found in the same specimen. */
async function resultsOf(
  { before, from, to, write }: Move,
  known: ReadonlySet<string>,
  signal: AbortSignal,
  deps: FindDeps,
): Promise<Brought[]> {
  const untold = resultIdsOf(before).filter((id) => !known.has(`Observation/${id}`))
  const found = untold.length === 0 ? [] : await findResults(untold, signal, deps)
  const { encounter } = write.resource as { encounter?: Reference }
  return found
    .filter((one) => patientOf(one)?.reference === from)
    .map((one) => {
      const brought = brings(one, { subject: to, ...(encounter === undefined ? {} : { encounter }) }, write)
      return { ...brought, write: { ...brought.write, deletes: unsaidVisit(write) } }
    })
}

async function broughtBy({ before, from, to, write }: Move, signal: AbortSignal, deps: FindDeps): Promise<Brought[]> {
  const found = await ofVisit(before, { patient: from }, signal, deps)
  return found.map((one) => brings(one, one.resourceType === 'Immunization' ? { patient: to } : { subject: to }, write))
}
