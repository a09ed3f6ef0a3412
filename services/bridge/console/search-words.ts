import { incorrect } from '../../../packages/faults/fault.ts'
import { channelIds, type ChannelId } from '../pipeline/channel.ts'
import { transactionStatuses, type TransactionFilter, type TransactionStatus } from '../store/transactions.ts'

/** What stands in the form, as the address has it. */
export type SearchWords = Readonly<Partial<Record<(typeof searchFields)[number], string>>>

const searchFields = [
  'q',
  'controlId',
  'patientId',
  'facilityCode',
  'messageType',
  'status',
  'channelId',
  'errorCode',
  'from',
  'to',
] as const

/** A form sends what was left empty as an empty text. */
export function filledWords(given: SearchWords): SearchWords {
  const filled = searchFields.flatMap((name) => {
    const value = given[name]?.trim() ?? ''
    return value === '' ? [] : [[name, value]]
  })
  return Object.fromEntries(filled) as SearchWords
}

export function filterOf({ status, channelId, messageType, errorCode, q, ...rest }: SearchWords): TransactionFilter {
  if (q !== undefined && q.length < 3) throw wrong('Text in the message', 'must have at least three letters')
  if (rest.from !== undefined && rest.to !== undefined && rest.from > rest.to)
    throw wrong('From day', 'must not be after To day')
  return {
    ...rest,
    ...(q === undefined ? {} : { q }),
    ...(errorCode === undefined ? {} : { errorCode: errorCode.toUpperCase() }),
    // People write ADT-A01 or adt a01; the log has ADT^A01.
    ...(messageType === undefined ? {} : { messageType: messageType.toUpperCase().replace(/[\s\-_]+/, '^') }),
    ...(status === undefined ? {} : { status: statusOf(status) }),
    ...(channelId === undefined ? {} : { channelId: channelOf(channelId) }),
  }
}

function statusOf(word: string): TransactionStatus {
  const status = transactionStatuses.find((one) => one === word)
  if (status === undefined) throw wrong('Status', 'is none of the statuses')
  return status
}

function channelOf(word: string): ChannelId {
  const channel = channelIds.find((one) => one === word)
  if (channel === undefined) throw wrong('Channel', 'is none of the channels')
  return channel
}

/** Named as the form names its fields: whoever reads this has come from there. */
const wrong = (path: string, message: string) =>
  incorrect('This search cannot be carried out.', { fields: [{ path, message }] })

export function hrefOfPage(words: SearchWords, page: number): string {
  const query = new URLSearchParams({ ...words, ...(page === 0 ? {} : { page: String(page) }) }).toString()
  return `/console/messages${query === '' ? '' : `?${query}`}`
}
