import { loadDefinitions } from '../../packages/fhir/definitions.ts'
import { createValidate } from '../../packages/fhir/validate/validator.ts'
import { madeOnce } from '../../packages/http/made-once.ts'
import type { Kit } from '../../packages/service/service.ts'
import { JobQueue } from '../../packages/sql/tasks/job-queue.ts'
import { Auditor } from './audit/auditor.ts'
import type { CapabilityOperation } from './capability/capability-operation.ts'
import { capabilityStatement } from './capability/capability-statement.ts'
import { shownCapabilities } from './capability/shown-capabilities.ts'
import { remoteSmartConfiguration } from './capability/smart-configuration.ts'
import { createReplaceLinks } from './interactions/bundle/links.ts'
import type { InteractionDeps } from './interactions/deps.ts'
import { indexMetrics } from './patient-index/index-metrics.ts'
import { MergeListeners } from './patient-index/merges/merge-listeners.ts'
import { noteMerges } from './patient-index/merges/note-merges.ts'
import { NamesInUse } from './patient-index/names-in-use.ts'
import { noteLinked } from './patient-index/second-looks/note-linked.ts'
import { matchOperations } from './patient-index/routes/match.ts'
import { storedPatientRecords } from './patient-index/stored-patient-records.ts'
import { indexPatients } from './patient-index/write-hook.ts'
import type { FhirDeps } from './routes/deps.ts'
import { createAuthorizeRequest } from './scopes/authorize.ts'
import { keptCopies, type Keepers } from './scopes/kept-copies.ts'
import { createSearchEngine } from './search/search-engine.ts'
import type { FhirSection } from './section.ts'
import { createIndexOf } from './store/index-rows.ts'
import { SharedSets } from './store/shared-sets.ts'
import { Store } from './store/store.ts'
import { codeFilters } from './terminology/code-filters.ts'
import { shippedTerminology } from './terminology/shipped.ts'
import { terminologyOperations } from './terminology/routes/terminology-routes.ts'
import { combined } from './terminology/source.ts'
import { joined } from './terminology/joined.ts'
import { loadedTerminology } from './terminology/store/loaded-terminology.ts'
import { namedInSets } from './terminology/store/named-in-sets.ts'
import { recordedTerminology } from './terminology/store/recorded-terminology.ts'
import { indexTerminology } from './terminology/write-hook.ts'

/** Operations of other parts of the service, as the CapabilityStatement lists them. */
const operations: readonly CapabilityOperation[] = [...matchOperations, ...terminologyOperations]

/** With what the service itself starts and ends. */
type MadeFhirDeps = FhirDeps & {
  readonly auditor: Auditor
  readonly jobs: JobQueue
  readonly mergeListeners: MergeListeners
}

/** Everything that the routes and the in-process port stand on. */
export async function makeFhirDeps(section: FhirSection, kit: Kit): Promise<MadeFhirDeps> {
  const { database, clock, ids, random, log, metrics, outbound, addresses } = kit
  const base = section.url
  const ownBases = [base]
  const authorizationServer = addresses['auth'] ?? ''
  const definitions = await loadDefinitions()
  const indexOf = createIndexOf(definitions, { ownBases })
  const shipped = await shippedTerminology()
  const standing = joined([loadedTerminology(database), shipped], namedInSets(database))
  const terminology = combined([standing], recordedTerminology(database))
  const engine = createSearchEngine({ definitions, valueSets: codeFilters(terminology), clock, ownBases })
  const jobs = new JobQueue({ database, log, clock, random, ids })
  const mergeListeners = new MergeListeners()
  const noting = [noteMerges(jobs, mergeListeners), noteLinked(jobs)]
  const hooks = [indexPatients(jobs), ...noting, indexTerminology(() => clock.now())]
  const sets = new SharedSets({ clock })
  const auditor = new Auditor({ database, engine, clock, sets, ids, random, log, metrics, indexOf, base })
  const interactions: InteractionDeps = {
    ...{ database, clock, ids, log, base, definitions, indexOf, engine },
    validate: createValidate(definitions),
    replaceLinks: createReplaceLinks(definitions),
    store: new Store({ database, engine, clock, sets, hooks }),
    limits: { bundleEntriesMax: section.bundleEntriesMax, answerCharactersMax },
  }
  const statementOptions = { ...{ base, authorizationServer, operations }, date: clock.now() }
  const statement = madeOnce(() => capabilityStatement(definitions, statementOptions))
  return {
    ...interactions,
    ...{ auditor, audit: auditor, terminology, jobs, mergeListeners },
    names: new NamesInUse({ database, clock, log }),
    records: storedPatientRecords(interactions),
    indexMetrics: indexMetrics(metrics),
    authorize: createAuthorizeRequest(definitions, { ownBases, copies: keptCopies(keepersOf(section, kit)) }),
    smartConfiguration: remoteSmartConfiguration({
      authorizationServer,
      getJson: (url) => outbound.getJson(url),
      clock,
    }),
    allowsOrigin: (origin) => section.allowedOrigins.includes(origin) || (kit.isAppOrigin?.(origin) ?? false),
    capabilityStatement: statement,
    shownCapabilities: shownCapabilities(statement),
  }
}

/** A few pages of a search; ten thousand of them would be more than the memory of a machine. */
const answerCharactersMax = 67_108_864

const keepersOf = ({ consentClientId, referralClientId }: FhirSection, { addresses }: Kit): Keepers => ({
  consent: { clientId: consentClientId, url: addresses['consent'] ?? '' },
  referral: { clientId: referralClientId, url: addresses['referral'] ?? '' },
})
