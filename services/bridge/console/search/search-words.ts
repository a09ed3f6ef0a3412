import { isDay } from '../../../../packages/http/formats.ts'
import { pageQueryTo } from '../../../../packages/http/page-envelope.ts'
import { channelIds, type ChannelId } from '../../pipeline/channel.ts'
import { transactionStatuses, type TransactionFilter, type TransactionStatus } from '../../store/transactions.ts'

/** What stands in the form, as the address has it. */
export type SearchWords = Readonly<Partial<Record<(typeof searchFields)[number], string>>>

export const searchFields = [
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

/** In the place of a status: what failed and was not sent again since, which is what the dead letters count. */
export const deadStatus = 'DEAD'

/** In the place of a facility or an error: that there is none. It is how the pages show it. */
export const noneWord = '–'

/** What is wrong, at its field. */
export type SearchFaults = SearchWords

type ReadSearch =
  | { readonly is: 'read'; readonly filter: TransactionFilter }
  | { readonly is: 'wrong'; readonly faults: SearchFaults }

export function readSearch(words: SearchWords): ReadSearch {
  const { q, from, to, status, channelId } = words
  const rules: readonly (readonly [field: keyof SearchWords, holds: boolean, message: string])[] = [
    ['q', q === undefined || q.length >= 3, 'Give at least three letters.'],
    ['from', isDayIfGiven(from), 'Give a day, such as 2026-03-14.'],
    ['to', isDayIfGiven(to), 'Give a day, such as 2026-03-14.'],
    ['from', from === undefined || to === undefined || !isDay(to) || from <= to, 'This is after the last day.'],
    ['status', isStatusIfGiven(status), 'This is none of the statuses.'],
    ['channelId', channelId === undefined || channelOf(channelId) !== undefined, 'This is none of the channels.'],
  ]
  const broken = rules.filter(([, holds]) => !holds).map(([field, , message]) => [field, message] as const)
  // The first thing that is wrong with a field is the one to begin with.
  if (broken.length > 0) return { is: 'wrong', faults: Object.fromEntries(broken.toReversed()) }
  return { is: 'read', filter: filterOf(words) }
}

/** What a batch of retries is narrowed by; undefined where the words are not of dead letters alone. */
export function deadFilter(words: SearchWords): Omit<TransactionFilter, 'q'> | undefined {
  const search = readSearch(words)
  if (search.is === 'wrong' || words.status !== deadStatus || words.q !== undefined) return undefined
  return search.filter
}

/** As they stand in an address. */
export const queryOf = (words: SearchWords): string => new URLSearchParams(words).toString()

export const wordsIn = (query: string): SearchWords => filledWords(Object.fromEntries(new URLSearchParams(query)))

/** What each of them is called in the form. */
export const fieldLabels: Readonly<Record<(typeof searchFields)[number], string>> = {
  q: 'Text in the message',
  controlId: 'Control id',
  patientId: 'Patient',
  facilityCode: 'Facility',
  messageType: 'Type',
  status: 'Status',
  channelId: 'Channel',
  errorCode: 'Error',
  from: 'From day (UTC)',
  to: 'To day (UTC)',
}

function filterOf(words: SearchWords): TransactionFilter {
  const { status, channelId, messageType, facilityCode, errorCode, q, ...rest } = words
  const [wantedStatus, channel] = [statusOf(status), channelOf(channelId)]
  return {
    ...rest,
    ...(q === undefined ? {} : { q }),
    ...(facilityCode === undefined ? {} : { facilityCode: nullIfNone(facilityCode) }),
    ...(errorCode === undefined ? {} : { errorCode: nullIfNone(errorCode.toUpperCase()) }),
    // People write ADT-A01 or adt a01; the log has ADT^A01.
    ...(messageType === undefined ? {} : { messageType: messageType.toUpperCase().replace(/[\s\-_]+/, '^') }),
    ...(wantedStatus === undefined ? {} : { status: wantedStatus }),
    ...(status === deadStatus ? { isDead: true } : {}),
    ...(channel === undefined ? {} : { channelId: channel }),
  }
}

const statusOf = (word: string | undefined): TransactionStatus | undefined =>
  transactionStatuses.find((one) => one === word)

const isStatusIfGiven = (word: string | undefined): boolean =>
  word === undefined || word === deadStatus || statusOf(word) !== undefined

const nullIfNone = (word: string): string | null => (word === noneWord ? null : word)

const channelOf = (word: string | undefined): ChannelId | undefined => channelIds.find((one) => one === word)

const isDayIfGiven = (word: string | undefined): boolean => word === undefined || isDay(word)

/** @param part of which list it is a page; else the first of one that begins */
export function hrefOfPage(words: SearchWords, page: number, part?: { readonly size: number }): string {
  const place = part === undefined ? '' : pageQueryTo(page, part)
  const query = [queryOf(words), place === 'page=0' ? '' : place].filter(Boolean).join('&')
  return `/console/messages${query === '' ? '' : `?${query}`}`
}
