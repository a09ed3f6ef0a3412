import { loadDefinitions } from '../../../../packages/fhir/definitions.ts'
import { createValidate } from '../../../../packages/fhir/validate/validator.ts'
import { pathOf, type Issue, type Message, type Zone } from '../../../../packages/hl7/index.ts'
import { channelOf } from '../../../../services/bridge/configured.ts'
import { readTooLarge } from '../../../../services/bridge/durable/too-large.ts'
import { messageTypesOf } from '../../../../services/bridge/listeners/message-types.ts'
import { mapMessage } from '../../../../services/bridge/mapping/map-message.ts'
import type { Mapping } from '../../../../services/bridge/mapping/mapped.ts'
import { termsFrom } from '../../../../services/bridge/mapping/terms.ts'
import { readIncoming } from '../../../../services/bridge/pipeline/1-receive.ts'
import { channelIds, withoutCertificates, type Channel } from '../../../../services/bridge/pipeline/channel.ts'
import { refusedByMapping } from '../../../../services/bridge/pipeline/stop.ts'
import { zoneOfMessage } from '../../../../services/bridge/pipeline/zone-of-message.ts'
import type { BridgeSection } from '../../../../services/bridge/section.ts'
import { answerNeeds } from '../../../../services/fhir/terminology/answer-needs.ts'
import { shippedTerminology } from '../../../../services/fhir/terminology/shipped.ts'
import type { TerminologySource } from '../../../../services/fhir/terminology/source.ts'
import { contextOf, resourcesOf } from './convert.ts'

/** What the bridge would say of a message, as far as that can be said without a registry, an index and a store. */
export interface Verdict {
  readonly code: 'AA' | 'AE' | 'AR'
  /** The channels that take its type. */
  readonly channels: readonly string[]
  readonly findings: readonly Finding[]
  /** The types of the resources that it becomes, in the order in which they are written. */
  readonly becomes: readonly string[]
}

interface Finding {
  readonly state: 'error' | 'warning'
  readonly text: string
}

interface OfflineOptions {
  readonly bridge: BridgeSection
  /** The zone of times without offset; that of the channel where MSH-7 has none, unless said. */
  readonly zone: Zone | undefined
}

/** A bridge that reads, maps and looks codes up in what ships, and asks nobody. */
export class OfflineBridge {
  readonly #bridge: BridgeSection
  readonly #zone: Zone | undefined
  readonly #terminology: TerminologySource
  readonly #check: ReturnType<typeof createValidate>

  private constructor(
    { bridge, zone }: OfflineOptions,
    terminology: TerminologySource,
    check: ReturnType<typeof createValidate>,
  ) {
    this.#bridge = bridge
    this.#zone = zone
    this.#terminology = terminology
    this.#check = check
  }

  static async open(options: OfflineOptions): Promise<OfflineBridge> {
    return new OfflineBridge(options, await shippedTerminology(), createValidate(await loadDefinitions()))
  }

  async judge(bytes: Uint8Array, messageType: string | undefined): Promise<Verdict> {
    const { channel, channels } = this.#channelFor(messageType)
    const { frameBytesMax } = this.#bridge
    const isTooLarge = bytes.length > frameBytesMax
    const read = isTooLarge ? readTooLarge(bytes, frameBytesMax, channel, nobody) : readIncoming(bytes, channel, nobody)
    const refused = read.refused?.issues ?? []
    const noted = read.message?.issues.map(ofIssue) ?? []
    // Of what is only incomplete the rest is of interest, too.
    if (read.message === undefined || refused.some(({ code }) => code !== incomplete)) {
      return { code: read.refused?.code ?? 'AR', channels, findings: [...refused.map(ofIssue), ...noted], becomes: [] }
    }
    const mapping = await this.#map(read.message, channel)
    const warnings = mapping.warnings.map(({ path, text }): Finding => ({ state: 'warning', text: `${path}: ${text}` }))
    const before = [...refused.map(ofIssue), ...noted]
    if (mapping.refused !== undefined) {
      const { code } = read.refused ?? refusedByMapping(mapping.refused)
      return { code, channels, findings: [...before, ...mapping.refused.map(ofIssue), ...warnings], becomes: [] }
    }
    const resources = resourcesOf(mapping)
    const invalid = resources.flatMap((resource) => this.#faultsIn(resource))
    const code = read.refused?.code ?? (invalid.length > 0 ? 'AE' : 'AA')
    const becomes = code === 'AA' ? resources.map(({ resourceType }) => resourceType) : []
    return { code, channels, findings: [...before, ...invalid, ...warnings], becomes }
  }

  /** The channel that takes this type; of a type that nobody takes it is said which ones are. */
  #channelFor(messageType: string | undefined): { channel: Channel; channels: readonly string[] } {
    const open = channelIds.filter((id) => this.#bridge.channels[id].enabled)
    const channels = open.filter((id) => messageTypesOf[id].includes(messageType ?? ''))
    const [first] = channels
    const channel = withoutCertificates(channelOf(first ?? 'adt', this.#bridge))
    const messageTypes = [...new Set(open.flatMap((id) => messageTypesOf[id]))]
    return { channel: first === undefined ? { ...channel, messageTypes } : channel, channels }
  }

  async #map(message: Message, { zone, mapping: settings }: Channel): Promise<Mapping> {
    const context = {
      ...contextOf(message, this.#zone ?? zoneOfMessage(message) ?? zone),
      base: this.#bridge.base,
      settings,
    }
    const sketch = mapMessage(message, context)
    if (sketch.refused !== undefined || sketch.needs.length === 0) return sketch
    const terms = termsFrom(sketch.needs, await answerNeeds(sketch.needs, this.#terminology))
    return mapMessage(message, { ...context, terms })
  }

  #faultsIn(resource: object): Finding[] {
    return this.#check(JSON.parse(JSON.stringify(resource)))
      .filter(({ severity }) => severity === 'error')
      .map(({ path, message }) => ({ state: 'error', text: `${path}: ${message}` }))
  }
}

const nobody = { address: '', port: 0, certificateName: undefined }

/** A required field is missing: the header may lack one, and so may the rest. */
const incomplete = '101'

function ofIssue({ severity, text, location }: Issue): Finding {
  const state = severity === 'E' || severity === 'F' ? 'error' : 'warning'
  return { state, text: location === undefined ? text : `${pathOf(location)}: ${text}` }
}
