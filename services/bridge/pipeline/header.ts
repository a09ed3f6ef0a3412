import { controlIdOf, parsePath, type Message } from '../../../packages/hl7/index.ts'
import { auditedQuery } from './audited-query.ts'
import type { Channel } from './channel.ts'

/** What the log keeps of MSH, whether the rest could be read or not. */
export interface Header {
  /** `ADT^A01`; empty for what could not be read. */
  readonly messageType: string
  readonly controlId: string
  readonly sendingApplication: string
  readonly sendingFacility: string
  readonly receivingApplication: string
  readonly receivingFacility: string
  /** EVN-5, when a person is named. */
  readonly operator: string | undefined
  /** MSH-11 of a message for training or debugging. */
  readonly processing?: 'T' | 'D'
  /** QPD of a query, as far as the audit tells of it. */
  readonly query?: string
}

export function headerOf(message: Message | undefined): Header {
  const text = (path: Parameters<Message['getText']>[0]) => kept(message?.getText(path) ?? '')
  const operator = text('EVN-5')
  const type = text('MSH-9.1')
  const processing = message?.getText(processingPath)?.trim().toUpperCase()
  const query = message !== undefined && type === 'QBP' ? auditedQuery(message) : undefined
  return {
    messageType: [type, text('MSH-9.2')].filter((part) => part !== '').join('^'),
    controlId: kept((message && controlIdOf(message)) ?? ''),
    sendingApplication: text('MSH-3'),
    sendingFacility: kept(senderOf(message) ?? ''),
    receivingApplication: text('MSH-5'),
    receivingFacility: text('MSH-6'),
    operator: operator === '' ? undefined : operator,
    ...(processing === 'T' || processing === 'D' ? { processing } : {}),
    ...(query === undefined ? {} : { query: keptUpTo(queryLengthMax, query) }),
  }
}

const processingPath = parsePath('MSH-11.1')

/** MSH-4: the name that a facility has here, or the identifier that it has everywhere where it writes no other. */
export const senderOf = (message: Message | undefined): string | undefined =>
  message?.getText('MSH-4.1') ?? message?.getText('MSH-4.2')

/** Whose message it is: MSH-4, else whoever the channel stands for. */
export const facilityOf = (header: Header, { defaultFacility }: Channel): string =>
  header.sendingFacility === '' ? (defaultFacility ?? '') : header.sendingFacility

const lengthMax = 250

/** More than any query that means somebody. */
const queryLengthMax = 8_000

/** As the database can hold it: no zero sign, no half of a pair, not endless. */
export const kept = (text: string): string => keptUpTo(lengthMax, text)

const keptUpTo = (max: number, text: string): string => text.replaceAll('\u0000', '').slice(0, max).toWellFormed()
