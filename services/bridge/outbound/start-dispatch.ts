import type { Clock } from '../../../packages/clock/clock.ts'
import type { Ids, Random } from '../../../packages/clock/ids.ts'
import { forbidden } from '../../../packages/faults/fault.ts'
import { makeOutbound, type Outbound } from '../../../packages/http/outbound/outbound.ts'
import type { Log } from '../../../packages/log/log.ts'
import type { Metrics } from '../../../packages/metrics/metrics.ts'
import type { Database } from '../../../packages/sql/database.ts'
import { JobQueue } from '../../../packages/sql/tasks/job-queue.ts'
import { Outbox } from '../../../packages/sql/tasks/outbox.ts'
import { ReceiverPlaces, turnPatienceMs } from '../../../packages/sql/tasks/receiver-places.ts'
import { httpCoordination } from '../../../ports/coordination/http-coordination.ts'
import type { FacilityRegistry } from '../../../ports/facility-registry/facility-registry.ts'
import type { FhirStore } from '../../../ports/fhir-store/fhir-store.ts'
import type { ResourceMatching } from '../../../ports/resource-matching/resource-matching.ts'
import { httpSmsGateway, noSmsGateway } from '../../../ports/sms-gateway/http-sms-gateway.ts'
import type { SmsGateway } from '../../../ports/sms-gateway/sms-gateway.ts'
import { embeddedCoordination } from '../coordination/embedded-coordination.ts'
import { escalateAlerts } from '../coordination/escalate-alerts.ts'
import { patientSummary, type PatientSummary } from '../coordination/patient-summary.ts'
import type { CoordinationSection } from '../coordination/section.ts'
import { supportDecisions } from '../coordination/support-decisions.ts'
import { tellCoordination } from '../coordination/tell-coordination.ts'
import type { PassBoundary } from '../pipeline/boundaries.ts'
import type { RetentionRule } from '../durable/retention.ts'
import type { Telling } from '../pipeline/telling.ts'
import type { Authorities } from '../hl7-from-fhir/index.ts'
import { seedUntilDone } from '../subscriptions/seed-subscriptions.ts'
import { SubscriptionBook } from '../subscriptions/subscription-book.ts'
import type { ListedSubscription } from '../subscriptions/subscription.ts'
import { refusalOf } from './allowed-endpoints.ts'
import { AwayReceivers } from './away-receivers.ts'
import { MllpDeliveries } from './channels/deliver-mllp.ts'
import { RestDeliveries } from './channels/deliver-rest.ts'
import { criteriaRefusal } from './criteria-refusal.ts'
import { deliverAll } from './deliver.ts'
import type { Delivery } from './delivery.ts'
import { dispatchTelling } from '../pipeline/6-dispatch.ts'
import { evaluateAside, evaluateLine } from './evaluate-events.ts'
import { outdatedBy } from './outdated.ts'
import { receiverTls } from './receiver-tls.ts'
import { resend, resendDead, type ResentDead } from './resend.ts'
import type { OutboundSection } from './section.ts'
import { Sink } from './sink/sink.ts'
import { findDeliveries, listDeliveries, type DeliveryFilter } from './store/deliveries.ts'
import { sweep } from './sweep.ts'

interface DispatchSections {
  readonly outbound: OutboundSection
  readonly coordination: CoordinationSection
  readonly retention: Pick<RetentionRule, 'metaDays' | 'errorDays'>
}

interface DispatchDeps {
  readonly mode: 'demo' | 'production'
  readonly database: Database
  readonly clock: Clock
  readonly ids: Ids
  readonly random: Random
  readonly log: Log
  readonly metrics: Metrics
  /** Acts for the bridge: needs to read and search everything and to write Subscriptions and ValueSets. */
  readonly fhirStore: FhirStore
  readonly matching: ResourceMatching
  readonly facilities: FacilityRegistry
  /** Of facilities that have none of their own. */
  readonly timeZone: string
  /** The FHIR server's address, without a slash at its end. */
  readonly fhirBase: string
  /** The bridge's own facility code, MSH-4 of what it sends. */
  readonly facilityCode: string
  readonly authorities: Authorities
  readonly passBoundary: PassBoundary
  readonly graceMs: (wantedMs: number) => number
}

export interface Dispatch {
  /** Writes one event a message, in the transaction of its end. */
  readonly telling: Telling
  /** The subscriptions that are switched on, as the store has them, also those that cannot be served. */
  listSubscriptions(): Promise<readonly ListedSubscription[]>
  listDeliveries(transactionId: string): Promise<readonly Delivery[]>
  findDeliveries(
    filter: DeliveryFilter,
    page: { readonly limit: number; readonly offset?: number },
  ): Promise<readonly Delivery[]>
  /** Sends a settled delivery again, under the same key. `missing` or `conflict` where that makes no sense. */
  resend(deliveryId: string, by: string): Promise<Delivery>
  /** The same for what was given up of a subscription, a thousand at most. */
  resendDead(subscriptionId: string, by: string): Promise<ResentDead>
  summaryOf(patient: string): Promise<PatientSummary>
  /** Resolves when nothing that is due waits: for tests, and before a stop. */
  drain(): Promise<void>
  close(): Promise<void>
}

/** What is under way when the bridge stops has so long to end; then it is done again after the next start. */
const stopGraceMs = 2_000

/** A delivery is ours for so long. Several of a receiver that is slow, or silent for one of them, fit in. */
const leaseMsMin = 60_000
const deadlinesPerLease = 8

/** Of the deliveries under way, so many receivers at least can each have their share. */
const sharesMin = 4

/** Everything that happens after a message was stored. */
export async function startDispatch(sections: DispatchSections, deps: DispatchDeps): Promise<Dispatch> {
  await using stack = new AsyncDisposableStack()
  const { outbound: section } = sections
  const { database, clock, log, fhirStore, matching } = deps
  const outbox = new Outbox(deps)
  const jobs = new JobQueue(deps)
  const sink = section.sink ? await Sink.start(deps) : undefined
  if (sink !== undefined) stack.defer(() => sink.close())
  const allowed = { ...section, allowsLoopback: deps.mode === 'demo', hasSink: sink !== undefined }
  const refusal = (endpoint: string) => refusalOf(endpoint, allowed)
  const book = new SubscriptionBook({
    ...{ fhirStore, clock, log, refusal },
    criteriaRefusal: (criteria, call) => criteriaRefusal(criteria, matching, call),
  })
  stack.defer(() => book.close())
  const { deadlineMs } = section
  const { gateway: sms, client } = smsGatewayOf(section, sink, { ...deps, deadlineMs })
  if (client !== undefined) stack.defer(() => client.close())
  const tls = await receiverTls(section, deps)
  stack.defer(() => tls.end())
  const leaseMs = Math.max(leaseMsMin, deadlineMs * deadlinesPerLease)
  // Connecting and sending twice is the longest that one message can take; the work ends a little before its lease.
  const patienceMs = leaseMs * 0.9 - deadlineMs * 4 - turnPatienceMs
  const mllp = new MllpDeliveries({ clock, tls: () => tls.current, deadlineMs, patienceMs })
  stack.defer(() => mllp.close())
  const rest = new RestDeliveries({ ...deps, deadlineMs })
  stack.defer(() => rest.close())
  const { application } = section
  const sender = { application, facility: deps.facilityCode, authorities: deps.authorities }
  const coordination = coordinationOf(sections.coordination, { ...deps, sms, jobs, outbox, deadlineMs })
  if (coordination.client !== undefined) stack.defer(() => coordination.client?.close())
  const { facilities, timeZone } = deps
  const whyOutdated = outdatedBy(deps)
  const backoff = { baseMs: section.retryBaseMs, maxMs: section.retryMaxMs, multiplier: 4, jitter: 0.2 }
  const evaluating = { outbox, database, matching, book, sender, clock, facilities, timeZone }
  const evaluations = [evaluateLine(evaluating), evaluateAside(evaluating)]
  const others = [
    deliverAll({
      ...{ ...deps, outbox, book, mllp, rest, sms, whyOutdated, place: placing(refusal, sink) },
      ...{ attemptsMax: section.attemptsMax, concurrency: section.concurrency, leaseMs, backoff },
      ...{ away: new AwayReceivers({ ...deps, backoff, lookMs: deadlineMs }), awayMs: section.awayHours * 3_600_000 },
      places: new ReceiverPlaces({ ...deps, share: Math.ceil(section.concurrency / sharesMin) }),
    }),
    tellCoordination(coordination.service, outbox),
    ...coordination.workers,
  ]
  const workers = [...evaluations, ...others]
  for (const worker of others) worker.start()
  stack.defer(async () => void (await Promise.all(workers.map((worker) => worker.stop(deps.graceMs(stopGraceMs))))))
  const stopping = new AbortController()
  const seeding = seedUntilDone({ fhirBase: deps.fhirBase, hasSink: sink !== undefined }, book, deps, stopping.signal)
  // The first message after an installation must find all subscriptions. A stop ends the seeding, too.
  const startEvaluations = () => (stopping.signal.aborted ? [] : evaluations).forEach((worker) => worker.start())
  void seeding.then(startEvaluations)
  const { metaDays, errorDays } = sections.retention
  const days = { deliveryDays: section.retentionDays, deadDays: errorDays, coordinationDays: metaDays }
  const sweeping = sweep(days, deps)
  stack.defer(async () => {
    stopping.abort()
    await Promise.all([seeding, sweeping.end()])
  })
  const owned = stack.move()
  return {
    telling: dispatchTelling(outbox),
    listSubscriptions: () => book.listed(),
    listDeliveries: (transactionId) => listDeliveries(transactionId, database),
    findDeliveries: (filter, page) => findDeliveries(filter, page, database),
    resend: (deliveryId, by) => resend(deliveryId, by, { ...deps, outbox, book, whyOutdated }),
    resendDead: (subscriptionId, by) => resendDead(subscriptionId, by, { ...deps, outbox, book, whyOutdated }),
    summaryOf: (patient) => patientSummary(patient, deps),
    async drain() {
      await seeding
      if (stopping.signal.aborted) return
      // Each step adds work for the next one.
      for (const worker of workers) await worker.drain()
      await sink?.drain()
    },
    close: () => owned.disposeAsync(),
  }
}

const placing =
  (refusal: (endpoint: string) => string | undefined, sink: Sink | undefined) =>
  (endpoint: string): string => {
    const refused = refusal(endpoint)
    if (refused !== undefined) throw forbidden(refused, { code: 'ENDPOINT_NOT_ALLOWED' })
    return sink?.place(endpoint) ?? endpoint
  }

type CallDeps = DispatchDeps & Pick<OutboundSection, 'deadlineMs'>

function outboundTo(url: string, name: string, authorization: string | undefined, deps: CallDeps): Outbound {
  const origin = { url, name, ...(authorization === undefined ? {} : { authorization: () => authorization }) }
  return makeOutbound({ ...deps, origins: [origin], responseBytesMax: 65_536 })
}

function smsGatewayOf(
  { smsGatewayUrl, smsGatewayAuthorization }: OutboundSection,
  sink: Sink | undefined,
  deps: CallDeps,
): { readonly gateway: SmsGateway; readonly client: Outbound | undefined } {
  const url = smsGatewayUrl ?? (sink === undefined ? undefined : `${sink.httpUrl}/sms`)
  if (url === undefined) return { gateway: noSmsGateway, client: undefined }
  const client = outboundTo(url, 'SMS gateway', smsGatewayAuthorization, deps)
  return { gateway: httpSmsGateway({ ...deps, url, outbound: client }), client }
}

interface EmbeddedDeps {
  readonly sms: SmsGateway
  readonly jobs: JobQueue
  readonly outbox: Outbox
}

function coordinationOf(section: CoordinationSection, deps: CallDeps & EmbeddedDeps) {
  const {
    url,
    authorization,
    escalateAfterSeconds: afterSeconds,
    escalationsMax: max,
    escalationPhone: phone,
  } = section
  if (url !== undefined) {
    const client = outboundTo(url, 'coordination service', authorization, deps)
    return { service: httpCoordination({ url, outbound: client }), client, workers: [] }
  }
  const embedded = { ...deps, escalation: { afterSeconds, max, phone } }
  const workers = [supportDecisions(embedded), escalateAlerts(embedded)]
  return { service: embeddedCoordination(embedded), client: undefined, workers }
}
