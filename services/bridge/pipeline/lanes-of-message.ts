import { Hl7Fault, makeZone, type Message, type Segment } from '../../../packages/hl7/index.ts'
import type { MappingContext, MappingSettings } from '../mapping/context.ts'
import { Draft } from '../mapping/draft.ts'
import { nameUuid } from '../mapping/name-uuid.ts'
import {
  bestIdentifier,
  identifiersOf,
  isRecordNumber,
  ofSomebody,
  patientKey,
  type SentIdentifier,
} from '../mapping/patient-key.ts'
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
 * Which lanes a message holds until it is through. A patient is a lane, by the number under which the mapping writes the
 * Patient; a message that names several patients (A17, A24, A40) holds the lanes of all. Master files follow each other
 * by channel and sender. An appointment is a lane, too: what moves it or calls it off may name somebody else, or nobody. A
 * query changes nothing and waits for nobody.
 *
 * By the number alone, without its authority: which names of authorities are one system the registry knows, and it is
 * asked after the message is kept. Two strangers of one number wait for each other needlessly, and no patient overtakes
 * themselves.
 */
export function lanesOfMessage(message: Message, rule: LaneRule): LanesOfMessage {
  if (rule.channelId === 'qbp') return { lanes: [], patientKeys: [] }
  const draft = new Draft(message, contextFor(rule))
  const named = [...message.segments('PID').map((pid) => pidNames(pid, draft)), ...mergedNames(draft)]
  const patientKeys = [...new Set(named.flatMap(({ keys }) => keys))].slice(0, patientKeysMax)
  const patients = named.flatMap(({ numbers }) => numbers.map((number) => `patient ${number}`))
  const hasPatient = message.has('PID')
  const whose = hasPatient ? patients : [`channel ${rule.channelId} ${rule.facility}`]
  const names = [...whose, ...appointmentNumbers(message).map((number) => `appointment ${number}`)]
  return { lanes: [...new Set(names.map(nameUuid))].sort(), patientKeys }
}

const patientKeysMax = 20

/** SCH-1 and SCH-2, by any of which it is found. */
function appointmentNumbers(message: Message): string[] {
  const sch = message.segment('SCH')
  return [1, 2].flatMap((field) => sch?.text(field)?.trim() || [])
}

interface Names {
  /** One of them is in the key of the Patient. */
  readonly numbers: readonly string[]
  readonly keys: readonly string[]
}

function pidNames(pid: Segment, draft: Draft): Names {
  const list = identifiersOf(pid, 3, draft)
  const keys = list.map(valueOf)
  const named = ofSomebody(list, draft)
  if (named.length > 0) return { numbers: numbersOf(named, draft), keys }
  try {
    return { numbers: [patientKey(pid, draft).value], keys }
  } catch (thrown) {
    // Without an identifier the mapping refuses the message, so it has nobody to wait for.
    if (thrown instanceof Hl7Fault) return { numbers: [], keys }
    throw thrown
  }
}

/**
 * MRG-1, and 4 and 2 as older versions have them. Which of them are the survivor's too, and which find a record that goes, is told by
 * the mapping: all are held.
 */
function mergedNames(draft: Draft): Names[] {
  return draft.message.segments('MRG').map((mrg) => {
    const keys = [1, 4, 2].flatMap((field) => identifiersOf(mrg, field, draft).map(valueOf))
    return { numbers: keys.slice(0, numbersMax), keys }
  })
}

/**
 * Where a national number comes before all others, any of the first ones may turn out to be it. Else the patient is found by the
 * best, or by any other number of a record (1168).
 */
function numbersOf(list: readonly SentIdentifier[], draft: Draft): string[] {
  if (draft.context.settings.nationalIdSystem !== undefined) return list.slice(0, numbersMax).map(valueOf)
  const best = bestIdentifier(list, draft)
  const others = list.length < 2 ? [] : list.filter(isRecordNumber).map(valueOf)
  return best === undefined ? [] : [best.value ?? '', ...others].slice(0, numbersMax)
}

/** Nobody has more; a message with a thousand is a mistake, and must not lock a thousand rows. */
const numbersMax = 20

const valueOf = ({ identifier }: SentIdentifier): string => identifier.value ?? ''

/** Without the registry: it is asked later. */
const contextFor = ({ facility, settings }: LaneRule): MappingContext => ({
  base: 'urn:lane',
  facility: { code: facility, organization: '', namespaces: new Map() },
  zone: utc,
  settings,
  terms: new Map(),
})

const utc = makeZone('UTC')
