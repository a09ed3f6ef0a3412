import type { Clock } from '../../../packages/clock/clock.ts'
import { faultOf } from '../../../packages/faults/fault.ts'
import type { Log } from '../../../packages/log/log.ts'
import { isMasterFile } from '../mapping/families/mfn/mfn.ts'
import { masterFileReply, recordsNotTaken, type MasterFileReply } from '../mapping/families/mfn/master-file-reply.ts'
import type { Mapped, Write } from '../mapping/mapped.ts'
import { patientOf } from '../mapping/patient-of.ts'
import { otherPersons } from '../persist/other-person.ts'
import { replacedServices } from '../persist/replaced-services.ts'
import type { Stored } from '../persist/stored.ts'
import { answerQuery, findForQuery, isQuery, type AnswerQueryDeps } from '../query/answer-query.ts'
import { enrich, facilityCodeOf, type EnrichDeps } from './2-enrich.ts'
import type { Enriched } from './enriched.ts'
import { transform, type TransformDeps } from './3-transform.ts'
import { govern, governQuery, type Governed, type GovernDeps } from './4-govern.ts'
import { persist, type PersistDeps } from './5-persist.ts'
import type { PassBoundary } from './boundaries.ts'
import type { Known, KnownPatient, Outcome } from './outcome.ts'
import type { Person } from '../mapping/person.ts'
import type { Received } from './received.ts'
import type { LaterStage, Stage } from './stage.ts'
import { isStop, nack, type Stop } from './stop.ts'

export type StageDeps = EnrichDeps &
  TransformDeps &
  GovernDeps &
  PersistDeps &
  AnswerQueryDeps & { readonly log: Log; readonly passBoundary: PassBoundary }

/** ENRICH, TRANSFORM, GOVERN, PERSIST. Everything in between is pure or can be repeated. Never rejects. */
export async function runStages(received: Received, deps: StageDeps): Promise<Outcome> {
  const course = new Course(received, deps.clock)
  try {
    course.begin(received)
    return await throughStages(received, course, deps)
  } catch (thrown) {
    const fault = faultOf(thrown)
    deps.log.error('a message could not be processed', {
      transactionId: received.transactionId,
      stage: course.stage,
      error: fault.logged ?? fault.message,
    })
    const text = 'An unexpected error happened. It was logged; send the message again later or ask the operator.'
    return course.stoppedBy(nack('INTERNAL', text, { code: 'AE' }))
  }
}

async function throughStages(received: Received, course: Course, deps: StageDeps): Promise<Outcome> {
  const enriched = await course.through('ENRICH', () => received.foreseen ?? enrich(received, deps))
  if (isStop(enriched)) return course.stoppedBy(enriched)
  deps.passBoundary('enriched')
  const { facility, people } = enriched
  course.learn({ facilityCode: facility.code, organization: facility.organization, ...aboutOf(people) })
  if (isQuery(received.message)) return throughQuery(received, enriched, course, deps)

  const transformed = await course.through('TRANSFORM', () => transform({ received, ...enriched }, deps))
  if (isStop(transformed)) return course.stoppedBy(transformed)
  deps.passBoundary('transformed')
  const { mapped, stored, unmapped } = transformed
  course.learn({ unmapped })
  course.warn(mapped.warnings)
  course.warn(sharedNumbers(stored))
  course.warn(replacedServices(mapped.writes, stored).map(() => ({ kind: 'other-service' })))
  if (stored.moved !== undefined && stored.moved.size > 0) course.warn([{ kind: 'other-patient' }])
  course.warn([...(stored.mergedAgain ?? [])].map(() => ({ kind: 'merged-again' })))
  course.warn(otherPersons(mapped.writes, stored).map(() => ({ kind: 'other-person' })))

  const governFor = (whom: readonly Person[]) =>
    govern({ received, organization: facility.organization, mapped, people: whom, stored }, deps)
  const governed = await course.through('GOVERN', () => governFor(people))
  if (isStop(governed)) return course.stoppedBy(governed)
  course.warnOf(governed)
  deps.passBoundary('governed')

  const governAgain = async (others: readonly Person[]) => {
    const again = await governFor(others)
    if (isStop(again)) return again.status === 'ERROR' ? { ...again, stage: 'GOVERN' as const } : again
    course.warnOf(again)
    return again
  }
  const toPersist = { received, mapped, people, stored, governAgain }
  const persisted = await course.through('PERSIST', () => persist(toPersist, deps))
  if (isStop(persisted)) return course.stoppedBy(persisted)
  deps.passBoundary('stored')
  const { resources, references, isStale, formerNumbers, formerPatients } = persisted
  course.learn({
    resources,
    isStale,
    ...aboutOf(persisted.people, formerPatients),
    ...mainOf(mapped, references, people),
  })
  // Somebody has to look whose the former number is, and what has come under it.
  course.warn(Array.from({ length: formerNumbers }, () => ({ kind: 'other-national-number' })))
  return isMasterFile(received.message)
    ? endOfMasterFile(masterFileReply(received.message, mapped, deps), course)
    : { status: 'SUCCESS', ...course.known }
}

/** What has numbers of two stored things that may be one, or that of another patient's visit: somebody has to look. */
const sharedNumbers = ({
  taken = new Map(),
  anothers = new Set(),
  shared = new Set(),
}: Stored): { readonly kind: string }[] => {
  const doubtful = [...taken.values()].filter((numbers) => numbers.some(({ isDoubtful }) => isDoubtful))
  return [...doubtful, ...anothers, ...shared].map(() => ({ kind: 'shared-number' }))
}

/** What was taken stays taken and is told of; sent again, it changes nothing. The whole is answered AE, and is no success. */
function endOfMasterFile({ reply, text, issues }: MasterFileReply, course: Course): Outcome {
  if (issues.length === 0) return { status: 'SUCCESS', ...course.known, reply }
  const refused = { status: 'ERROR', code: 'AE', errorCode: recordsNotTaken, errorMessage: text, issues } as const
  return course.stoppedBy({ ...refused, stage: 'TRANSFORM', reply })
}

/** A question writes nothing: whoever was found is shown, as far as they let the asking facility see them. */
async function throughQuery(
  received: Received,
  { context, facility }: Enriched,
  course: Course,
  deps: StageDeps,
): Promise<Outcome> {
  const asked = await course.through('TRANSFORM', () => findForQuery(received.message, context, received.signal, deps))
  if (isStop(asked)) return course.stoppedBy(asked)
  const { organization } = facility
  const governed = await course.through('GOVERN', () => governQuery(asked.found, { received, organization }, deps))
  if (isStop(governed)) return course.stoppedBy(governed)
  course.warnOf(governed)
  const { reply, refused, told } = answerQuery(received.message, asked, governed.shown, facility, deps)
  if (refused !== undefined) return course.stoppedBy(refused)
  const people = told.map(({ patient, goldenId }) => ({ id: patient.id, goldenId }))
  const [first] = people
  course.learn({ ...aboutOf(people), ...(first === undefined ? {} : { fhirResourceId: `Patient/${first.id}` }) })
  return { status: 'SUCCESS', ...course.known, reply }
}

/** Which stage a message is in, how long each took, and what is known of it by now. */
class Course {
  readonly #clock: Clock
  readonly #enters: Received['enters']
  readonly #stageMs: Partial<Record<Stage, number>> = {}
  stage: Stage = 'RECEIVE'
  #known: Omit<Known, 'stage' | 'stageMs'> = { resources: [], warnings: {}, unmapped: [], isStale: false }

  constructor({ enters }: Received, clock: Clock) {
    this.#clock = clock
    this.#enters = enters
  }

  /** What the message tells before its first stage. */
  begin(received: Received): void {
    const facilityCode = facilityCodeOf(received)
    if (facilityCode !== undefined) this.learn({ facilityCode })
    this.warn(received.message.flags)
  }

  get known(): Known {
    return { ...this.#known, stage: this.stage, stageMs: this.#stageMs }
  }

  learn(facts: Partial<Known>): void {
    this.#known = { ...this.#known, ...facts }
  }

  warn(noticed: readonly { readonly kind?: string }[]): void {
    if (noticed.length === 0) return
    const warnings = { ...this.#known.warnings }
    for (const { kind } of noticed) if (kind !== undefined) warnings[kind] = (warnings[kind] ?? 0) + 1
    this.learn({ warnings })
  }

  /** Whatever went on because silence was taken for consent can be found again. */
  warnOf({ silences }: Pick<Governed, 'silences'>): void {
    if (silences > 0) this.learn({ warnings: { ...this.#known.warnings, 'consent-unanswered': silences } })
  }

  async through<T>(stage: LaterStage, work: () => Promise<T>): Promise<T> {
    this.stage = stage
    this.#enters?.(stage)
    const beganMs = this.#clock.monotonicMs()
    try {
      return await work()
    } finally {
      this.#stageMs[stage] = Math.round((this.#clock.monotonicMs() - beganMs) * 1_000) / 1_000
    }
  }

  stoppedBy(stop: Stop): Outcome {
    return { ...this.known, ...stop }
  }
}

type Someone = Pick<Person, 'id' | 'goldenId'>

/** @param former who is named beside them, as `Patient/…` */
function aboutOf([first, ...others]: readonly Someone[], former: readonly string[] = []): Partial<Known> {
  const known = others.flatMap(({ id, goldenId }): KnownPatient[] =>
    id === undefined
      ? []
      : [{ patient: `Patient/${id}`, ...(goldenId === undefined ? {} : { goldenPatientId: goldenId }) }],
  )
  const patient = first?.id === undefined ? undefined : `Patient/${first.id}`
  const named = new Set([patient, ...known.map((one) => one.patient)])
  const otherPatients = [...known, ...former.filter((one) => !named.has(one)).map((one) => ({ patient: one }))]
  return {
    ...(patient === undefined ? {} : { patient }),
    ...(first?.goldenId === undefined ? {} : { goldenPatientId: first.goldenId }),
    ...(otherPatients.length === 0 ? {} : { otherPatients }),
  }
}

function mainOf(
  { main, writes }: Mapped,
  references: ReadonlyMap<string, string>,
  [first]: readonly Person[],
): Partial<Known> {
  const fhirResourceId = main === undefined ? undefined : references.get(main)
  const isTheirs = ({ resource, defaults }: Write) =>
    (patientOf(resource) ?? patientOf(defaults))?.reference === first?.fullUrl
  const visit = writes.find((write) => write.resource.resourceType === 'Encounter' && isTheirs(write))
  const encounter = visit === undefined ? undefined : references.get(visit.fullUrl)
  return {
    ...(fhirResourceId === undefined ? {} : { fhirResourceId }),
    ...(encounter === undefined ? {} : { encounter }),
  }
}
