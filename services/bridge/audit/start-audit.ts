import { hostname } from 'node:os'
import type { Clock } from '../../../packages/clock/clock.ts'
import type { Ids, Random } from '../../../packages/clock/ids.ts'
import { makeCertificate } from '../../../packages/keys/certificate.ts'
import type { Renewed } from '../../../packages/keys/renewed.ts'
import type { Log } from '../../../packages/log/log.ts'
import type { Metrics } from '../../../packages/metrics/metrics.ts'
import type { Database } from '../../../packages/sql/database.ts'
import { Outbox } from '../../../packages/sql/tasks/outbox.ts'
import type { AuditRepository } from '../../../ports/audit-repository/audit-repository.ts'
import { syslogAuditRepository, type RepositoryTls } from '../../../ports/audit-repository/syslog-audit-repository.ts'
import type { FhirStore } from '../../../ports/fhir-store/fhir-store.ts'
import type { PassBoundary } from '../pipeline/boundaries.ts'
import type { Telling } from '../pipeline/telling.ts'
import { auditedActions, type Audited } from './audited.ts'
import { auditTelling, auditTopics } from './audit-telling.ts'
import { AuditReceiver } from './receiver.ts'
import { repositoryTls } from './repository-tls.ts'
import type { AuditSection } from './section.ts'
import { sendToFhirStore, sendToRepository } from './send-audit.ts'

interface AuditDeps {
  readonly mode: 'demo' | 'production'
  readonly database: Database
  readonly clock: Clock
  readonly ids: Ids
  readonly random: Random
  readonly log: Log
  readonly metrics: Metrics
  /** Acts for the bridge: needs `system/AuditEvent.cs`. */
  readonly fhirStore: FhirStore
  readonly passBoundary: PassBoundary
  readonly graceMs: (wantedMs: number) => number
}

interface Audit {
  /** Spools one record a message, in the transaction of its end. */
  readonly telling: Telling
  /** The same for what somebody who runs the bridge has it do. */
  readonly audited: Audited
  /** Where the embedded repository listens, if it does. */
  readonly receiverPort: number | undefined
  /** Resolves when nothing waits to be sent. */
  drain(): Promise<void>
  close(): Promise<void>
}

/** Records that are under way when the bridge stops have so long to arrive; then they are sent again. */
const stopGraceMs = 2_000

export async function startAudit(section: AuditSection, deps: AuditDeps): Promise<Audit> {
  const outbox = new Outbox(deps)
  const { repository, receiver, tls } = await repositoryOf(section, deps)
  const { sourceId, site, patientAuthority } = section
  const source = { sourceId, site, patientAuthority }
  const sending = { ...deps, outbox }
  const workers = [
    ...(repository === undefined ? [] : [sendToRepository(repository, source, sending)]),
    ...(section.toFhir ? [sendToFhirStore(deps.fhirStore, source, sending)] : []),
  ]
  if (workers.length === 0) deps.log.error('no audit repository is set: messages are not audited')
  for (const worker of workers) worker.start()
  const targets = [
    ...(repository === undefined ? [] : (['syslog'] as const)),
    ...(section.toFhir ? (['fhir'] as const) : []),
  ]
  const processId = String(process.pid)
  const topics = targets.map((target) => auditTopics[target])
  return {
    telling: auditTelling(targets, outbox, processId),
    audited: auditedActions(topics, processId, { ...deps, outbox }),
    receiverPort: receiver?.port,
    drain: async () => void (await Promise.all(workers.map((worker) => worker.drain()))),
    async close() {
      await Promise.all(workers.map((worker) => worker.stop(deps.graceMs(stopGraceMs))))
      await receiver?.close()
      await tls?.end()
    },
  }
}

interface Repository {
  readonly repository: AuditRepository | undefined
  readonly receiver?: AuditReceiver
  readonly tls?: Renewed<RepositoryTls>
}

async function repositoryOf(section: AuditSection, deps: AuditDeps): Promise<Repository> {
  const { repositoryHost: host, repositoryPort: port, receiverPort } = section
  const sender = { host: hostname(), app: section.sourceId, clock: deps.clock }
  if (host !== undefined) {
    const tls = await repositoryTls(section, deps)
    const repository = { host, port, tls: () => tls.current }
    return { repository: syslogAuditRepository({ ...sender, repository }), tls }
  }
  if (deps.mode === 'production') return { repository: undefined }
  // Only our own sender has to trust it, so it is made for this run and kept nowhere.
  const certificate = await makeCertificate({ name: 'localhost', validDays: 3_650, clock: deps.clock })
  const receiver = await AuditReceiver.start(receiverPort, certificate, deps)
  const trust = { ca: certificate.cert }
  const repository = { host: '127.0.0.1', port: receiver.port, tls: () => trust }
  return { repository: syslogAuditRepository({ ...sender, repository }), receiver }
}
