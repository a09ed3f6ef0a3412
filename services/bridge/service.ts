import { Outbox } from '../../packages/sql/tasks/outbox.ts'
import { zoneNamed } from '../../packages/hl7/index.ts'
import type { DeclaredStep } from '../../packages/service/first-step.ts'
import { defineService, type Kit } from '../../packages/service/service.ts'
import { startAudit } from './audit/start-audit.ts'
import { allowanceIn } from './breakers/allowance.ts'
import { Breakers } from './breakers/breakers.ts'
import { breakerRule, channelOf, flowOptions, listenerSettings } from './configured.ts'
import { mapAgain } from './console/transaction/transaction-mapping.ts'
import { withConsole } from './console/with-console.ts'
import { bridgeErrors } from './error-style.ts'
import { publishBoundaries, type PassBoundary } from './pipeline/boundaries.ts'
import { MessageFlow } from './durable/message-flow.ts'
import { removePastNowAndThen } from './durable/retention.ts'
import { RetryRunJobs } from './durable/retry-run-jobs.ts'
import { retryTransactions } from './durable/retry-transactions.ts'
import { tellingPart } from './pipeline/telling.ts'
import { Listeners } from './listeners/listeners.ts'
import { listenersHealth, retryQueueHealth } from './health.ts'
import { LiveEvents } from './live/live-events.ts'
import { surroundings } from './live/surroundings.ts'
import { measureWaiting } from './measure-waiting.ts'
import { neighboursFor, type BridgeNeighbours } from './neighbours.ts'
import { startDispatch } from './outbound/start-dispatch.ts'
import { channelIds, type ChannelId } from './pipeline/channel.ts'
import { foresee } from './pipeline/2-enrich.ts'
import { runStages, type StageDeps } from './pipeline/run-stages.ts'
import { knowsDomain } from './query/known-domains.ts'
import type { AdminDeps } from './routes/deps.ts'
import type { BridgeSection } from './section.ts'
import { consentRefusalsPart } from './store/consent-refusals.ts'
import type { TransactionRow } from './store/transactions.ts'
import { unmappedCodesPart } from './store/unmapped-codes.ts'
import { KnownTerms } from './terms/known-terms.ts'
import { watchTerms } from './terms/watch-terms.ts'
import { CodeRerunJobs } from './unmapped/code-rerun-jobs.ts'
import { watchResets } from './breakers/watch-resets.ts'

export const bridgeService = defineService({
  name: 'bridge',
  title: 'Integration bridge',
  purpose:
    'Takes HL7v2 messages over MLLP and turns them into consented, validated FHIR R4; nothing acknowledged is ever lost.',
  build: async (section: BridgeSection, kit) => {
    await using started = new AsyncDisposableStack()
    const rule = breakerRule(section)
    const breakers = new Breakers({ ...kit, rule })
    const neighbours = neighboursFor(section, { ...kit, breakers })
    const terms = new KnownTerms(neighbours.terminology, kit.database)
    const passBoundary = publishBoundaries()
    const { parts, dispatch, audited } = await startParts(section, { ...kit, passBoundary }, neighbours, started)
    const channels = new Map(channelIds.map((id) => [id, channelOf(id, section)]))
    // Sound: there is one for every id.
    const channelOfId = (id: ChannelId) => channels.get(id) as ReturnType<typeof channelOf>
    const stageDeps: StageDeps = {
      ...{ ...kit, ...neighbours, breakers, passBoundary, base: section.base, zoneOf: rememberedByName(zoneNamed) },
      knowsDomain: knowsDomain({ ...kit, store: neighbours.store, breakers }),
      terminologyRequired: section.terminology.required,
      otherPersonRefused: section.otherPersonRefused,
      consentRule: section.consent,
    }
    const look = () => surroundings({ ...kit, breakers, channels: listeners })
    const live = new LiveEvents({ ...kit, look })
    started.defer(() => live.close())
    const flow = new MessageFlow(flowOptions(section), {
      ...{ ...kit, parts: [...parts, live.part], channelOf: channelOfId },
      runStages: (received) => runStages(received, stageDeps),
      // Only of neighbours in this process: a call that may hang needs the signal of whoever works on the message.
      ...(neighbours.isOwnStore ? { foresee: (asked) => foresee(asked, stageDeps) } : {}),
      allowance: () => allowanceIn(breakers.entryOf('fhir-server').state, rule),
      hearTerms: (version) => terms.hear(version),
      passBoundary,
    })
    const listeners = new Listeners(await listenerSettings(section, { ...kit, started }), {
      ...kit,
      receive: (incoming) => flow.receive(incoming),
    })
    await flow.start()
    started.defer(() => flow.stop(kit.graceMs(stopGraceMs)))
    await listeners.start()
    const stopTaking = () => {
      flow.beginStop()
      return listeners.stop(kit.graceMs(stopGraceMs))
    }
    started.defer(stopTaking)
    const { watchedStore: store, terminology, index, facilities } = neighbours
    runInBackground(section, kit, { breakers, flow, terminology, terms }, started)
    const mapping = { base: section.base, facilities, terminology, channelOf: channelOfId }
    const retell = (raw: Uint8Array, row: TransactionRow) => mapAgain(raw, row, mapping)
    const retries = retryTransactions({ ...kit, queue: flow.retries, channelOf: channelOfId })
    const codeReruns = new CodeRerunJobs({ ...kit, retries })
    started.defer(() => codeReruns.close(kit.graceMs(stopGraceMs)))
    const acting = { audited, breakers, channels: listeners, dispatch, live, retries, codeReruns }
    const deps: AdminDeps = { ...kit, store, terms, ...acting }
    const retryRuns = new RetryRunJobs({ ...kit, retries })
    started.defer(() => retryRuns.close(kit.graceMs(stopGraceMs)))
    const owned = started.move()
    return {
      ...withConsole({ ...deps, index, retell, retryRuns }, kit),
      errors: bridgeErrors,
      checks: checksOf(neighbours),
      health: {
        retryQueue: retryQueueHealth(section.retryQueueDepthMax, kit.database),
        mllp: listenersHealth(listeners),
      },
      tryFirst: firstSteps(section),
      stopTaking,
      close: () => owned.disposeAsync(),
    }
  },
})

/** For the listeners' last answers, while HTTP drains; then as long, at most, for what is left under way. */
const stopGraceMs = 3_000

/** What becomes durable together with the end of a message, and leaves afterwards. */
async function startParts(
  section: BridgeSection,
  kit: Kit & { readonly passBoundary: PassBoundary },
  { store, watchedStore, matching, facilities }: BridgeNeighbours,
  started: AsyncDisposableStack,
) {
  const { base, facilityCode = 'CORRIDOR' } = section
  const audit = await startAudit(section.audit, { ...kit, fhirStore: store })
  started.defer(() => audit.close())
  const dispatch = await startDispatch(section, {
    ...{ ...kit, fhirStore: watchedStore, matching, facilities, facilityCode, timeZone: section.timezone },
    fhirBase: kit.addresses['fhir'] ?? '',
    authorities: { base, namespaces: new Map() },
  })
  started.defer(() => dispatch.close())
  return {
    parts: [
      tellingPart([dispatch.telling, audit.telling], new Outbox(kit)),
      unmappedCodesPart(kit.ids),
      consentRefusalsPart,
    ],
    dispatch,
    audited: audit.audited,
  }
}

interface Background extends Pick<BridgeNeighbours, 'terminology'> {
  readonly breakers: Breakers
  readonly flow: MessageFlow
  readonly terms: KnownTerms
}

function runInBackground(
  section: BridgeSection,
  kit: Kit,
  { breakers, flow, terminology, terms }: Background,
  started: AsyncDisposableStack,
): void {
  started.defer(
    breakers.onChange((dependency, state) => {
      if (dependency !== 'fhir-server') return
      if (state === 'CLOSED') void flow.retries.drainNow().catch(() => flow.retries.wake())
      else flow.retries.wake()
    }),
  )
  const recurring = [
    removePastNowAndThen({ ...section.retention, windowMs: flowOptions(section).windowMs }, kit),
    watchResets({ ...kit, onReset: (at) => breakers.hearOfReset(at) }),
    watchTerms({ ...kit, terminology, terms }),
    measureWaiting(kit),
  ]
  started.defer(async () => void (await Promise.all(recurring.map((one) => one.end()))))
}

/** Readiness: the store, the patient index and the consent service can be asked. */
const checksOf = ({ store, index, checkConsent }: BridgeNeighbours) => ({
  fhirServer: async (signal: AbortSignal) => void (await store.search('Patient', { _count: '0' }, { signal })),
  patientIndex: (signal: AbortSignal) => index.check({ signal }),
  consentService: checkConsent,
})

const firstSteps = ({ url, mllpPort }: BridgeSection): DeclaredStep[] => [
  {
    title: 'Watch the messages flow',
    text: 'The console, for administrators.',
    href: '/console',
    inDemo: { text: 'The console; user admin, password demo.' },
  },
  {
    title: 'Send a message',
    text: 'An admission over MLLP; the answer is an ACK.',
    command: `corridor hl7 send --port ${mllpPort} message.hl7`,
    // Its sender is a facility of the demo.
    inDemo: {
      command: `printf 'MSH|^~\\\\&|HIS|CENTRAL|HUB|CORRIDOR|20260304||ADT^A01|1|P|2.5.1\\rPID|1||123^^^CENTRAL^MR||DOE^JANE||19800101|F\\rPV1|1|I\\r' | npm run --silent corridor -- hl7 send --port ${mllpPort} -`,
    },
  },
  {
    title: 'See what became of it',
    text: 'The transaction log, the newest first; with a token of a service account.',
    command: `curl ${url}/api/transactions -H "Authorization: Bearer $TOKEN"`,
  },
]

/** Each is made once: there are as many zones as facilities have. */
function rememberedByName<Made>(make: (name: string) => Made): (name: string) => Made {
  const made = new Map<string, Made>()
  return (name) => {
    const known = made.get(name) ?? make(name)
    made.set(name, known)
    return known
  }
}
