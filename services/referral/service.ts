import { loadDefinitions } from '../../packages/fhir/definitions.ts'
import { makeOutbound } from '../../packages/http/outbound/outbound.ts'
import { ServiceToken } from '../../packages/http/outbound/service-token.ts'
import { defineService, type Kit, type KitWithPages, workGraceMs } from '../../packages/service/service.ts'
import type { Transaction } from '../../packages/sql/database.ts'
import { JobQueue } from '../../packages/sql/tasks/job-queue.ts'
import { measureQueues } from '../../packages/sql/tasks/measure-queues.ts'
import { Outbox } from '../../packages/sql/tasks/outbox.ts'
import { serviceCaller } from '../../packages/tokens/service-caller.ts'
import type { Consent } from '../../ports/consent/consent.ts'
import { httpConsent } from '../../ports/consent/http-consent.ts'
import type { FhirStore } from '../../ports/fhir-store/fhir-store.ts'
import { httpFhirStore } from '../../ports/fhir-store/http-fhir-store.ts'
import { formerIds, type Merge } from '../../ports/patient-index/merges/merge-table.ts'
import { watchMerges } from '../../ports/patient-index/merges/watch-merges.ts'
import { httpNotifier } from '../../ports/notification/http-notifier.ts'
import { acceptanceQueue, watchAcceptance } from './acceptance.ts'
import { moveMerged } from './actions/move-merged.ts'
import { gateDeadlineMs } from './consent-gate.ts'
import { facilitiesOf, gatewaysOf, noticeOrigins, settingsOf } from './configured.ts'
import type { ReferralDeps } from './deps.ts'
import { referralErrors } from './error-style.ts'
import { facilityDirectory } from './facilities.ts'
import { ownDocuments } from './own-documents.ts'
import { deliverNotices } from './notices/deliver-notices.ts'
import { noticeTopic } from './notices/plan-notices.ts'
import { auditTopic, deliverAudit, deliverProjections, projectionTopic } from './projection/deliver.ts'
import type { Visitor } from '../../packages/sign-in/session.ts'
import { storeOfVisitor } from '../../ports/fhir-store/store-of-visitor.ts'
import { referralPages } from './pages/routes.ts'
import { referralRoutes } from './routes/routes.ts'
import type { ReferralSection } from './section.ts'
import { idsOf } from './store/id-blocks.ts'
import { mergeTables } from './store/merged-patients.ts'

export const referralService = defineService({
  name: 'referral',
  title: 'Referral service',
  purpose: "Carries a referral from draft to closed loop between two facilities, never past a patient's consent.",
  build: async (section: ReferralSection, kit) => {
    const { fhirStore, registry, patients, ...neighbours } = neighboursFor(section, kit)
    const { deps, outbound } = await referralDeps(section, kit, neighbours)
    const projection = { ...deps, store: fhirStore, identifierSystem: `${section.url}/api/referrals` }
    const workers = [
      watchAcceptance(deps),
      deliverNotices({ ...deps, random: kit.random }),
      ...(section.fhirProjection ? [deliverProjections(projection), deliverAudit(projection)] : []),
    ]
    for (const worker of workers) worker.start()
    const merges = patients === undefined ? undefined : mergesOf(patients, kit, deps)
    const measuring = measureQueues(queuesOf(section), kit)
    if (section.clientSecret === '' && kit.neighbours.consent === undefined)
      kit.log.error('referral.clientSecret is not set: nothing that shares data can be sent')
    return {
      ...routesWithPages(deps, registry, kit),
      errors: referralErrors,
      tryFirst: [
        {
          title: 'See what waits for a facility',
          text: 'The most urgent first, then the oldest; with a token of a clinician.',
          command: inboxOf('<organization-id>', section.url),
          inDemo: { command: inboxOf('lakeside-clinic', section.url) },
        },
      ],
      close: async () => {
        await Promise.all([merges?.end(), measuring.end()])
        await Promise.all(workers.map((worker) => worker.stop(kit.graceMs(workGraceMs))))
        await outbound.close()
      },
    }
  },
})

const queuesOf = ({ fhirProjection }: ReferralSection) => ({
  topics: [noticeTopic, ...(fhirProjection ? [projectionTopic, auditTopic] : [])],
  jobs: [acceptanceQueue],
})

function mergesOf(store: FhirStore, kit: Kit, deps: ReferralDeps) {
  const move = (merge: Merge, tx: Transaction) => moveMerged(merge, tx, deps)
  return watchMerges({ ...kit, store, tables: mergeTables, move, news: kit.neighbours.patientMerges })
}

const inboxOf = (organization: string, url: string) =>
  `curl '${url}/api/referrals/inbox?performerId=Organization/${organization}' -H "Authorization: Bearer $TOKEN"`

function routesWithPages(deps: ReferralDeps, registry: FhirStore | undefined, kit: KitWithPages) {
  const { pages, addresses } = kit
  const storeOf = (visitor: Visitor) => storeOfVisitor(visitor, kit)
  return { routes: [...referralRoutes, ...referralPages], deps: { ...deps, ...pages, addresses, storeOf, registry } }
}

const scope = 'system/ServiceRequest.cruds system/Task.cruds system/AuditEvent.cs'
/** A referral may take along whatever the store keeps; whose it is, is read with no other right. */
const documentScope = 'system/*.rs'

const patientScope = 'system/Patient.rs'

const nameScope = 'system/Organization.rs system/Practitioner.rs'

/** In this process where they run in it, else at their addresses with the service account. */
function neighboursFor(section: ReferralSection, kit: Kit) {
  const { neighbours, addresses, outbound, clock } = kit
  const { clientId } = section
  const token = new ServiceToken({ ...kit, ...section, tokenUrl: `${addresses['auth']}/oauth2/token` })
  const deadlineMs = gateDeadlineMs
  const storeFor = (wanted: string): FhirStore =>
    neighbours.fhirStore?.(serviceCaller({ clientId, scope: wanted })) ??
    httpFhirStore({ base: addresses['fhir'] ?? '', outbound, clock, token })
  const hasAccount = neighbours.fhirStore !== undefined || section.clientSecret !== ''
  return {
    consent:
      neighbours.consent?.(serviceCaller({ clientId, scope }), { deadlineMs }) ??
      httpConsent({ base: addresses['consent'] ?? '', outbound, token, deadlineMs }),
    fhirStore: storeFor(scope),
    documents: storeFor(documentScope),
    // Without an account in another process, names are what the visitor's own rights find.
    registry: hasAccount ? storeFor(nameScope) : undefined,
    // Nor does anybody say who was merged.
    patients: hasAccount ? storeFor(patientScope) : undefined,
  }
}

async function referralDeps(
  section: ReferralSection,
  kit: Kit,
  { consent, documents }: { readonly consent: Consent; readonly documents: FhirStore },
) {
  const { database, clock, ids, log, metrics } = kit
  // Facilities lie outside of the platform: calls to them have their own list of allowed places.
  const outbound = makeOutbound({
    ...{ origins: noticeOrigins(section), deadlineMs: kit.outbound.deadlineMs, responseBytesMax: 65_536 },
    ...{ clock, log, metrics },
  })
  const definitions = await loadDefinitions()
  const deps: ReferralDeps = {
    ...settingsOf(section),
    ...{ database, clock, ids, log },
    referralIds: idsOf('referrals', database),
    taskIds: idsOf('tasks', database),
    outbox: new Outbox(kit),
    jobs: new JobQueue(kit),
    facilities: facilityDirectory(facilitiesOf(section)),
    notifier: httpNotifier({ ...gatewaysOf(section), outbound, clock }),
    consent,
    ownDocuments: ownDocuments({ store: documents, fhirUrl: kit.addresses['fhir'] ?? '', definitions, log }),
    formerIdsOf: (patientId) => formerIds(patientId, mergeTables, database),
    resourceTypes: definitions.resourceTypes,
  }
  return { deps, outbound }
}
