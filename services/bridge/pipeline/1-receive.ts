import {
  checkHeader,
  tryParseMessage,
  type Hl7Fault,
  type Issue,
  type Message,
  type Peer,
} from '../../../packages/hl7/index.ts'
import { lanesOfMessage } from './lanes-of-message.ts'
import { contentHash, seenKey } from './seen-key.ts'
import { refusedEvent } from '../mapping/taken-events.ts'
import type { Channel } from './channel.ts'
import { facilityOf, headerOf, kept, type Header } from './header.ts'
import { knownAtReceipt, type Failed } from './outcome.ts'

/** What can be said of a message before anything is written down: pure, so that it can be said again after a crash. */
export type Read = Readable | Refused

export interface Readable {
  readonly message: Message
  readonly header: Header
  readonly facility: string
  /** By which a duplicate is known. */
  readonly key: Buffer
  readonly content: Buffer
  readonly lanes: readonly string[]
  readonly patientKeys: readonly string[]
  readonly refused?: never
}

/** A message that is not taken on this channel, or none at all. It is answered and logged, and nobody works on it. */
export interface Refused {
  /** As much of it as could be read, for the answer. */
  readonly message: Message | undefined
  readonly header: Header
  readonly facility: string
  /** Whoever looks for a patient's message must find it here, too. */
  readonly patientKeys: readonly string[]
  readonly refused: Failed
}

/** RECEIVE, its pure half: read the bytes, check the header, find the sender's key and the patient's lanes. */
export function readIncoming(bytes: Uint8Array, channel: Channel, peer: Peer): Read {
  const parsed = tryParseMessage(bytes, channel.charset === undefined ? {} : { charset: channel.charset })
  if (parsed.refused !== undefined) return unreadable(parsed.refused, channel)
  const { message } = parsed
  const header = headerOf(message)
  const facility = facilityOf(header, channel)
  const content = contentHash(bytes)
  const key = seenKey(message, content)
  const issues = headerIssues(message, facility, channel, peer)
  const named = lanesOfMessage(message, { channelId: channel.id, facility, settings: channel.mapping })
  const patientKeys = named.patientKeys.map(kept)
  if (issues.length > 0 || key === undefined) {
    return { message, header, facility, patientKeys, refused: refusal(issues) }
  }
  return { message, header, facility, key, content, lanes: named.lanes, patientKeys }
}

function headerIssues(message: Message, facility: string, channel: Channel, peer: Peer): Issue[] {
  const { messageTypes, processingIds, strictVersion } = channel
  const issues = checkHeader(message, {
    messageTypes,
    // Who leaves MSH-11 out means production; who leaves MSH-12 out is read like everybody.
    ...(message.getText('MSH-11') === undefined ? {} : { processingIds }),
    ...(strictVersion ? { versions } : {}),
  })
  const event = issues.some(({ code }) => code === '200') ? undefined : refusedEvent(message)
  if (event !== undefined) issues.push(event)
  if (facility === '') issues.push(noFacility)
  const certified = peer.certificateName === undefined ? undefined : channel.certificates?.get(peer.certificateName)
  if (channel.certificates !== undefined && certified?.has(facility) !== true) issues.push(otherSender)
  return issues
}

const versions = [
  '2.1',
  '2.2',
  '2.3',
  '2.3.1',
  '2.4',
  '2.5',
  '2.5.1',
  '2.6',
  '2.7',
  '2.7.1',
  '2.8',
  '2.8.1',
  '2.8.2',
  '2.9',
]

const noFacility: Issue = {
  code: '101',
  severity: 'E',
  text: 'MSH-4, the sending facility, is missing.',
  location: { segment: 'MSH', sequence: 1, field: 4 },
}

const otherSender: Issue = {
  code: '207',
  severity: 'E',
  text: 'The certificate of this connection is not that of the sending facility.',
  location: { segment: 'MSH', sequence: 1, field: 4 },
  applicationCode: { code: 'SENDER_NOT_ALLOWED' },
}

function unreadable(fault: Hl7Fault, channel: Channel): Refused {
  const header = headerOf(fault.header)
  const facility = facilityOf(header, channel)
  return { message: fault.header, header, facility, patientKeys: [], refused: refusal([fault.issue], 'PARSE_ERROR') }
}

/**
 * Wrong for this place: AR. Incomplete and nothing else: AE, because it can be filled in and sent again. Of what is wrong
 * the first gives the code; all of it is told.
 */
function refusal(issues: readonly Issue[], errorCode?: string): Failed {
  const gravest = issues.find(({ code }) => code !== incomplete) ?? issues[0] ?? noFacility
  const code = gravest.code === incomplete && errorCode === undefined ? 'AE' : 'AR'
  return {
    ...knownAtReceipt,
    status: 'ERROR',
    code,
    errorCode: errorCode ?? gravest.applicationCode?.code ?? errorCodes[gravest.code] ?? 'REFUSED',
    errorMessage: gravest.text,
    issues,
  }
}

const incomplete = '101'

const errorCodes: Readonly<Record<string, string>> = {
  '101': 'REQUIRED_FIELD_MISSING',
  '200': 'UNSUPPORTED_TYPE',
  '201': 'UNSUPPORTED_EVENT',
  '202': 'UNSUPPORTED_PROCESSING_ID',
  '203': 'UNSUPPORTED_VERSION',
}
