import { silentLog } from '../../../packages/log/log.ts'
import { openDatabase } from '../../../packages/sql/database.ts'
import { sql } from '../../../packages/sql/sql.ts'
import { startFaultProxy, type FaultProxy } from '../../../packages/testkit/fault-proxy.ts'
import { freePort } from '../../../packages/testkit/free-port.ts'
import { testCorridor, type TestCorridor } from '../../../packages/testkit/test-corridor.ts'
import type { ServiceName } from '../../../apps/corridor/service-names.ts'
import { RecordingLink } from './recording-link.ts'

/** A conditional update by itself names its key in the address: outside of a bundle FHIR has no other place for it. */
const isConditionalWrite = (line: string) => /^PUT \/fhir\/[A-Za-z]+\?identifier=/.test(line)

/** A Corridor whose services call the FHIR store and the consent service through proxies that break and that listen. */
export class LeakingCorridor implements AsyncDisposable {
  readonly corridor: TestCorridor
  readonly fhir: FaultProxy
  readonly consent: FaultProxy
  readonly links: readonly RecordingLink[]
  /** Refusals and failures, as they were answered. */
  readonly refusals: string[] = []

  #linesRead = 0

  private constructor(
    corridor: TestCorridor,
    proxies: { fhir: FaultProxy; consent: FaultProxy },
    links: RecordingLink[],
  ) {
    this.corridor = corridor
    this.fhir = proxies.fhir
    this.consent = proxies.consent
    this.links = links
  }

  static async start(): Promise<LeakingCorridor> {
    const [fhirPort, consentPort] = [await freePort(), await freePort()]
    const links = [await RecordingLink.before(fhirPort), await RecordingLink.before(consentPort)]
    const [fhirLink, consentLink] = links
    const fhir = await startFaultProxy({ port: fhirLink?.port ?? 0 })
    const consent = await startFaultProxy({ port: consentLink?.port ?? 0 })
    const corridor = await testCorridor({
      apart: true,
      settings: {
        ...{ 'fhir.port': String(fhirPort), 'fhir.url': `${fhir.url}/fhir` },
        ...{ 'consent.port': String(consentPort), 'consent.url': consent.url },
      },
    })
    return new LeakingCorridor(corridor, { fhir, consent }, links)
  }

  /** Where a service itself is, behind its proxies. */
  url(service: ServiceName): string {
    const { port, url } = this.corridor.configuration[service]
    return Object.assign(new URL(url), { port: String(port) }).href.replace(/\/$/, '')
  }

  /** Sends a request; what is refused is remembered. */
  async call(url: string, init: RequestInit = {}): Promise<Response> {
    const answer = await fetch(url, { redirect: 'manual', ...init })
    const text = await answer.clone().text()
    if (answer.status >= 400) this.refusals.push(`${[...answer.headers].join()} ${text}`)
    return answer
  }

  /** Everything that leaves Corridor beside its answers to those who may have them; of what grows, what is new. */
  async traces(): Promise<Readonly<Record<string, string>>> {
    const newLines = this.corridor.log.lines.slice(this.#linesRead)
    this.#linesRead += newLines.length
    // All services of a process share their metrics.
    const metrics = await (await fetch(`${this.url('auth')}/actuator/prometheus`)).text()
    return {
      logs: newLines.join('\n'),
      metrics,
      refusals: this.refusals.splice(0).join('\n'),
      addresses: this.links
        .flatMap(({ requestLines }) => requestLines.splice(0))
        .filter((line) => !isConditionalWrite(line))
        .join('\n'),
      'audit tables': await this.#auditRows(),
    }
  }

  async #auditRows(): Promise<string> {
    const database = await openDatabase({ url: this.corridor.databaseUrl, poolMax: 1, log: silentLog })
    const tables = await database.many<{ schema: string; name: string }>(sql`
      select table_schema as schema, table_name as name from information_schema.tables
      where table_type = 'BASE TABLE' and table_name like '%audit%' and table_schema !~ '^(pg_|information)'`)
    const rows = await Promise.all(
      tables.map(({ schema, name }) =>
        database.one<{ rows: string }>(sql`
          select coalesce(query_to_xml(format('select * from %I.%I', ${schema}::text, ${name}::text), true, true, '')::text, '')
            as rows`),
      ),
    )
    await database.close()
    return rows.map(({ rows: text }) => text).join('\n')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.corridor[Symbol.asyncDispose]()
    await Promise.all([this.fhir, this.consent, ...this.links].map((one) => one[Symbol.asyncDispose]()))
  }
}
