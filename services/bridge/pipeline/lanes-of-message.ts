import { Hl7Fault, makeZone, type Message, type Segment } from '../../../packages/hl7/index.ts'
import type { MappingContext, MappingSettings } from '../mapping/context.ts'
import { Draft } from '../mapping/draft.ts'
import { identifierKey, keyText } from '../mapping/keys.ts'
import { nameUuid } from '../mapping/name-uuid.ts'
import { identifiersOf, patientKey, rankedIdentifiers } from '../mapping/patient-key.ts'
import type { ChannelId } from './channel.ts'

export interface LaneRule {
  readonly channelId: ChannelId
  /** Who sent the message: MSH-4, or the channel's own. */
  readonly facility: string
  readonly settings: MappingSettings
}

export interface LanesOfMessage {
  /** UUIDs, sorted: whoever takes several locks takes them in this order. Empty for what needs no order. */
  readonly lanes: readonly string[]
  /** The identifiers of the patients as they were sent. */
  readonly patientKeys: readonly string[]
}

/**
 * Which lanes a message holds until it is through. A patient is a lane, by the very key under which the mapping writes
 * the Patient; a message that names several patients (A17, A24, A40) holds the lanes of all. Master files follow each
 * other by channel and sender. A query changes nothing and waits for nobody.
 */
export function lanesOfMessage(message: Message, rule: LaneRule): LanesOfMessage {
  if (rule.channelId === 'qbp') return { lanes: [], patientKeys: [] }
  const draft = new Draft(message, contextFor(rule))
  const named = [...message.segments('PID').map((pid) => pidNames(pid, draft)), ...mergedNames(draft)]
  const patientKeys = [...new Set(named.flatMap(({ keys }) => keys))].slice(0, patientKeysMax)
  const patients = named.flatMap(({ lane }) => (lane === undefined ? [] : [`patient ${lane}`]))
  const hasPatient = message.has('PID')
  const names = hasPatient ? patients : [`channel ${rule.channelId} ${rule.facility}`]
  return { lanes: [...new Set(names.map(nameUuid))].sort(), patientKeys }
}

const patientKeysMax = 20

interface Names {
  readonly lane: string | undefined
  readonly keys: readonly string[]
}

function pidNames(pid: Segment, draft: Draft): Names {
  const keys = identifiersOf(pid, 3, draft).map(({ identifier }) => identifier.value ?? '')
  try {
    return { lane: keyText(patientKey(pid, draft)), keys }
  } catch (thrown) {
    // Without an identifier the mapping refuses the message, so it has nobody to wait for.
    if (thrown instanceof Hl7Fault) return { lane: undefined, keys }
    throw thrown
  }
}

/** Of the record that goes, what is not the survivor's too: so it is written (0502). */
function mergedNames(draft: Draft): Names[] {
  const { message } = draft
  return message.segments('MRG').map((mrg) => {
    const list = rankedIdentifiers(identifiersOf(mrg, 1, draft), draft)
    const lanes = list.map(({ identifier }) => keyText(identifierKey(identifier)))
    const kept = message.segments('PID').flatMap((pid) => identifiersOf(pid, 3, draft))
    const shared = new Set(kept.map(({ identifier }) => keyText(identifierKey(identifier))))
    return {
      lane: lanes.find((lane) => !shared.has(lane)) ?? lanes[0],
      keys: list.map(({ identifier }) => identifier.value ?? ''),
    }
  })
}

/** The registry is asked later; for a lane it is enough that one sender's identifiers always give the same one. */
const contextFor = ({ facility, settings }: LaneRule): MappingContext => ({
  base: 'urn:lane',
  facility: { code: facility, organization: '', namespaces: new Map() },
  zone: utc,
  settings,
  terms: new Map(),
})

const utc = makeZone('UTC')
