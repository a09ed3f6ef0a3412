import { loadDefinitions } from '../../packages/fhir/definitions.ts'
import { ServiceToken } from '../../packages/http/outbound/service-token.ts'
import type { Neighbours } from '../../packages/service/neighbours.ts'
import type { DeclaredStep } from '../../packages/service/first-step.ts'
import { defineService, type Kit, type KitWithPages, workGraceMs } from '../../packages/service/service.ts'
import type { Visitor } from '../../packages/sign-in/session.ts'
import type { Transaction } from '../../packages/sql/database.ts'
import { measureQueues } from '../../packages/sql/tasks/measure-queues.ts'
import { Outbox } from '../../packages/sql/tasks/outbox.ts'
import { serviceCaller } from '../../packages/tokens/service-caller.ts'
import { inProcessConsent } from '../../ports/consent/in-process-consent.ts'
import type { Merge } from '../../ports/patient-index/merges/merge-table.ts'
import { watchMerges } from '../../ports/patient-index/merges/watch-merges.ts'
import { httpFhirStore } from '../../ports/fhir-store/http-fhir-store.ts'
import { storeOfVisitor } from '../../ports/fhir-store/store-of-visitor.ts'
import { AuditTrail } from './audit/audit-trail.ts'
import { EnumerationWatch } from './audit/enumeration-watch.ts'
import { EventTelling, toldTopic } from './audit/told-events.ts'
import { permitFacility, seedDemoConsents } from './demo-consents.ts'
import type { ConsentDeps } from './deps.ts'
import { evaluatorFor } from './in-process.ts'
import { consentPages } from './pages/routes.ts'
import { projectionTopic } from './projection/announce.ts'
import { deliverConsents } from './projection/deliver-consents.ts'
import { deliverEvents } from './projection/deliver-events.ts'
import { permitNewFacility } from './routes/permit-facility.ts'
import { consentRoutes } from './routes/routes.ts'
import { moveMerged } from './record/move-merged.ts'
import type { ConsentSection } from './section.ts'
import { CandidateReader } from './store/candidates.ts'
import { mergeTables } from './store/merged-patients.ts'
import { recordIds } from './store/record-ids.ts'

export const consentService = defineService({
  name: 'consent',
  title: 'Consent service',
  purpose: 'Keeps what patients have agreed to share and answers, with reasons, whether an access is permitted.',
  build: async (section: ConsentSection, kit) => {
    const deps = await consentDeps(section, kit)
    if (kit.mode === 'demo') await seedDemoConsents(deps)
    const workers = [projectionOf(section, kit, deps), auditOf(section, kit, deps)].filter((one) => one !== undefined)
    for (const worker of workers) worker.start()
    const merges = mergesOf(section, kit, deps)
    const measuring = measureQueues(queuesOf(section, kit), kit)
    return {
      ...routesWithPages(deps, section, kit),
      offers: consentOffers(deps, kit.mode),
      tryFirst: firstSteps(section.url, kit.addresses['auth'] ?? ''),
      close: async () => {
        await Promise.all([merges?.end(), measuring.end()])
        await Promise.all(workers.map((worker) => worker.stop(kit.graceMs(workGraceMs))))
        await deps.candidates.close()
        await deps.audit.close()
      },
    }
  },
})

function routesWithPages(deps: ConsentDeps, section: ConsentSection, kit: KitWithPages) {
  const { pages, addresses } = kit
  const api = kit.mode === 'demo' ? [...consentRoutes, permitNewFacility] : consentRoutes
  const storeOf = (visitor: Visitor) => storeOfVisitor(visitor, kit)
  const registry = fhirStoreFor('system/Organization.rs', section, kit)
  return { routes: [...api, ...consentPages], deps: { ...deps, ...pages, addresses, storeOf, registry } }
}

export async function consentDeps(section: ConsentSection, kit: Kit): Promise<ConsentDeps> {
  const { database, clock, ids, metrics } = kit
  const rule = {
    windowMs: section.enumerationWindowSeconds * 1_000,
    patientsMax: section.enumerationPatientsMax,
    exemptClients: section.enumerationExemptClients,
  }
  const watch = new EnumerationWatch(rule, { database, clock })
  const outbox = new Outbox(kit)
  const telling = tellsStore(section, kit) ? new EventTelling({ database, outbox }) : undefined
  return {
    settings: {
      fhirUrl: kit.addresses['fhir'] ?? '',
      timeZone: section.timeZone,
      implicitPolicy: section.implicitPolicy,
      strictOrganisation: section.strictOrganisation,
      auditBeforeAnswer: section.auditBeforeAnswer,
      fhirProjection: section.fhirProjection,
    },
    database,
    outbox,
    recordIds: recordIds(database),
    candidates: new CandidateReader(database),
    audit: new AuditTrail({ queueMax: section.auditQueueMax }, { ...kit, watch, telling }),
    telling,
    decisions: metrics.counter('corridor_consent_decisions_total', 'Decisions by their outcome.', ['outcome']),
    resourceTypes: (await loadDefinitions()).resourceTypes,
    clock,
    ids,
  }
}

/** What the consent service does for services of its process, without HTTP. */
function consentOffers(deps: ConsentDeps, mode: Kit['mode']) {
  return {
    ...(mode === 'demo' ? { permitFacility: (organization: string) => permitFacility(organization, deps) } : {}),
    consent: (caller, options = {}) =>
      inProcessConsent({ evaluate: evaluatorFor(caller, deps), clock: deps.clock, ...options }),
  } satisfies Neighbours
}

function projectionOf(section: ConsentSection, kit: Kit, deps: ConsentDeps) {
  const store = section.fhirProjection ? fhirStoreFor('system/Consent.cruds', section, kit) : undefined
  return store === undefined ? undefined : deliverConsents(store, deps)
}

/** Without an account nobody says who was merged, and consents stay with the record that they name. */
function mergesOf(section: ConsentSection, kit: Kit, deps: ConsentDeps) {
  const store = fhirStoreFor('system/Patient.rs', section, kit)
  if (store === undefined) {
    kit.log.warn('consent.clientSecret is not set: consents do not follow patients who are merged')
    return undefined
  }
  const move = (merge: Merge, tx: Transaction) => moveMerged(merge, tx, deps)
  return watchMerges({ ...kit, store, tables: mergeTables, move, news: kit.neighbours.patientMerges })
}

function auditOf(section: ConsentSection, kit: Kit, deps: ConsentDeps) {
  const store = tellsStore(section, kit) ? fhirStoreFor('system/AuditEvent.cs', section, kit) : undefined
  return store === undefined ? undefined : deliverEvents(store, deps)
}

/** What is put there, whether or not there is an account to deliver it with. */
const queuesOf = (section: ConsentSection, kit: Kit) => ({
  topics: [...(section.fhirProjection ? [projectionTopic] : []), ...(tellsStore(section, kit) ? [toldTopic] : [])],
  jobs: [],
})

/** Decisions do not wait for a store that nobody has given an account for: there are too many of them. */
const tellsStore = ({ auditToFhir, clientSecret }: ConsentSection, { neighbours }: Kit) =>
  auditToFhir && (neighbours.fhirStore !== undefined || clientSecret !== '')

/** Another process wants its service account; without one the Consents wait in the outbox. */
function fhirStoreFor(scope: string, { clientId, clientSecret }: ConsentSection, kit: Kit) {
  const { neighbours, addresses, outbound, clock } = kit
  const near = neighbours.fhirStore?.(serviceCaller({ clientId, scope }))
  if (near !== undefined || clientSecret === '') return near
  const token = new ServiceToken({ ...kit, clientId, clientSecret, tokenUrl: `${addresses['auth']}/oauth2/token` })
  return httpFhirStore({ base: addresses['fhir'] ?? '', outbound, clock, token })
}

function firstSteps(url: string, authUrl: string): DeclaredStep[] {
  const askForToken = (account: string) =>
    `TOKEN=$(curl -s -u ${account} -d grant_type=client_credentials ${authUrl}/oauth2/token | sed 's/.*access_token":"//;s/".*//')`
  const evaluate = (patient: string, actor: string) =>
    `curl -X POST '${url}/api/consent/evaluate?patientId=Patient/${patient}&actorReference=Organization/${actor}&resourceType=Observation&fhirOperation=READ' -H "Authorization: Bearer $TOKEN"`
  const consentsOf = (patient: string) =>
    `curl '${url}/api/consent/patient/${patient}' -H "Authorization: Bearer $TOKEN"`
  return [
    {
      title: 'Get a token',
      text: 'With a service account of the role ADMIN.',
      command: askForToken('<client-id>:<secret>'),
      inDemo: { text: 'As the administration account of the demo.', command: askForToken('svc-admin:demo') },
    },
    {
      title: 'Ask the question',
      text: 'The answer names the record that decided and all five checks.',
      command: evaluate('<patient-id>', '<organization-id>'),
      inDemo: { command: evaluate('amina-diallo', 'central-hospital') },
    },
    {
      title: 'Look at the consents of a patient',
      text: 'Those in force and those that were revoked.',
      command: consentsOf('<patient-id>'),
      inDemo: { text: 'This one has opted out of everything.', command: consentsOf('kofi-mensah') },
    },
  ]
}
