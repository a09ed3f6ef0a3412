import { systemClock } from '../../../packages/clock/clock.ts'
import { systemIds } from '../../../packages/clock/ids.ts'
import type { FhirResource, Patient } from '../../../packages/fhir/r4.ts'
import { parseMessage, zoneNamed } from '../../../packages/hl7/index.ts'
import { silentLog } from '../../../packages/log/log.ts'
import type { ConsentQuestion } from '../../../ports/consent/consent.ts'
import type { MappingSettings } from '../mapping/context.ts'
import type { CodeNeed } from '../mapping/terms.ts'
import type { ChannelId } from '../pipeline/channel.ts'
import type { Outcome } from '../pipeline/outcome.ts'
import { runStages, type StageDeps } from '../pipeline/run-stages.ts'
import { memoryFhirStore } from './memory-fhir-store.ts'
import { testChannel } from './test-channels.ts'

interface StagesWorldOptions {
  readonly otherPersonRefused?: boolean
  readonly isOwnStore?: boolean
  readonly settings?: MappingSettings
  /** Whose records refuse everything, by their ids. Nobody is asked where it is left out. */
  readonly refusing?: ReadonlySet<string>
}

/** ENRICH to PERSIST, with a store in memory behind them, as messages of one sender pass through one after the other. */
export class StagesWorld {
  readonly store = memoryFhirStore()
  readonly #deps: StageDeps
  readonly #settings: MappingSettings
  #sent = 0
  /** How often the store was asked what it has. */
  finds = 0

  /** @param translations what the terminology makes of codes, as `system|code` */
  constructor(
    translations: Readonly<Record<string, string>> = {},
    { otherPersonRefused = false, isOwnStore = true, settings = {}, refusing }: StagesWorldOptions = {},
  ) {
    this.#settings = settings
    const facility = { code: 'CENTRAL', organization: 'Organization/central', name: 'Central', namespaces: new Map() }
    const store: StageDeps['store'] = {
      ...this.store,
      findByIdentifiers: (...asked) => {
        this.finds++
        return this.store.findByIdentifiers(...asked)
      },
    }
    // Who has the same family name is the same person.
    const recognise = async (records: readonly Patient[]) =>
      records.map(({ name }) => ({ goldenId: `golden-${name?.[0]?.family}`, outcome: 'known' }))
    const codingsOf = ({ code }: CodeNeed) => {
      const [system, translated] = translations[code]?.split('|') ?? []
      return system === undefined ? 'unmapped' : [{ system, code: translated }]
    }
    // Sound: the stages ask nothing else of these.
    this.#deps = {
      facilities: { find: async () => new Map([['CENTRAL', facility]]) },
      index: { recognise, resolve: recognise },
      terminology: { codingsIn: async (needs: readonly CodeNeed[]) => needs.map(codingsOf) },
      consentRule: { enabled: refusing !== undefined, failClosed: true, refusedAck: 'AR' },
      consent: {
        evaluate: async ({ patientId }: ConsentQuestion) => ({
          ...{ is: 'answered', outcome: refusing?.has(patientId) === true ? 'DENY' : 'PERMIT', reason: '' },
          consentRecordId: null,
        }),
      },
      breakers: { call: (_: string, work: () => Promise<unknown>) => work() },
      ...{ store, isOwnStore, base: 'https://corridor.example', zoneOf: zoneNamed, terminologyRequired: false },
      otherPersonRefused,
      ...{ log: silentLog, clock: systemClock, ids: systemIds, passBoundary: () => {} },
    } as unknown as StageDeps
  }

  /** Of the patient M1, unless it says of whom, and each a second after the one before. */
  async send(channel: ChannelId, type: string, ...segments: readonly string[]): Promise<Outcome> {
    const pid = 'PID|1||M1^^^CENTRAL^MR||RAMGOOLAM^Amina||19800115|F'
    return this.sendAsIs(
      channel,
      type,
      ...(segments.some((one) => one.startsWith('PID')) ? segments : [pid, ...segments]),
    )
  }

  /** The same, of nobody where it says of nobody. */
  async sendAsIs(channel: ChannelId, type: string, ...segments: readonly string[]): Promise<Outcome> {
    const time = new Date(Date.UTC(2026, 2, 4, 10, 0, ++this.#sent))
    const written = time.toISOString().replaceAll(/[-:T]|\..*/g, '')
    const header = `MSH|^~\\&|HIS|CENTRAL|HUB|CORRIDOR|${written}+0000||${type}|C${this.#sent}|P|2.5.1`
    return runStages(
      {
        ...{ transactionId: 't', channel: testChannel(channel, { mapping: this.#settings }) },
        message: parseMessage(`${[header, ...segments].join('\r')}\r`),
        ...{ receivedAt: time, attempt: 1, run: 1, wasRefused: false, wasEnded: false, checkHeld: () => {} },
        signal: new AbortController().signal,
      },
      this.#deps,
    )
  }

  all<T extends FhirResource>(type: T['resourceType']): T[] {
    return [...this.store.resources.values()].filter((one): one is T & typeof one => one.resourceType === type)
  }
}
