import { conflict, invalid, missing, unreachable } from '../../../packages/faults/fault.ts'
import { integer, list, object, oneOf, optional, orNull, text } from '../../../packages/http/fields.ts'
import { reply } from '../../../packages/http/answer.ts'
import type { IncomingRequest } from '../../../packages/http/request.ts'
import type { OperatorAction } from '../audit/operator-action.ts'
import type { RetryAnswer } from '../durable/retries.ts'
import { transactionStatuses, type TransactionRow } from '../store/transactions.ts'
import { writers } from './callers.ts'
import { channelField, filteredChannel, typeField } from './channel-param.ts'
import { checkDays, dayFields } from './days.ts'
import { adminRoute, type AdminDeps } from './deps.ts'
import { transactionParams } from './get-transaction.ts'
import { transactionView, TransactionView } from './transaction-view.ts'

const tags = ['Transactions']

export const retryTransaction = adminRoute({
  method: 'POST',
  path: '/api/transactions/:transactionId/retry',
  who: writers,
  tags,
  summary: 'Runs a message again that failed, or whose control id was that of another; nothing is sent to its sender',
  input: { params: transactionParams },
  output: { 202: TransactionView },
  run: async ({ params, caller, request }, deps) => {
    const transaction = retriedTransaction(await retryFor({ caller, request }, params.transactionId, deps))
    return reply(202, transactionView(transaction))
  },
})

export const retryFor = (
  who: Pick<OperatorAction, 'caller' | 'request'>,
  id: string,
  { audited, retries }: Pick<AdminDeps, 'audited' | 'retries'>,
): Promise<RetryAnswer> =>
  audited(
    { did: 'retry', to: { kind: 'transaction', id }, ...who },
    () => retries.retry(id, who.caller.subject),
    ({ is }) => (is === 'accepted' ? {} : { refused: is }),
  )

/** The transaction that runs again; throws why it does not. */
export function retriedTransaction(answer: RetryAnswer): TransactionRow {
  switch (answer.is) {
    case 'accepted':
      return answer.transaction
    case 'unknown':
      throw missing('There is no such transaction.')
    case 'not-failed': {
      const shown = `Only a failed transaction can be retried; this one is ${answer.status}.${hintFor(answer.status)}`
      throw conflict(shown, { code: 'NOT_FAILED' })
    }
    case 'pruned': {
      const shown = 'The bytes of this message are past their retention, so it cannot be run again.'
      throw conflict(shown, { code: 'RAW_PRUNED' })
    }
    case 'cut': {
      const shown = 'Only the beginning of this message was kept, so it cannot be run again: its sender has to send it.'
      throw conflict(shown, { code: 'RAW_CUT' })
    }
    default:
      return unreachable(answer)
  }
}

/** What there is instead for whoever wants a message to go on that waits. */
const hintFor = (status: string): string =>
  status === 'QUEUED'
    ? ' It is tried again by itself; POST /api/circuit-breaker/reset tries all that wait at once.'
    : ''

/** Elsewhere a filter that is not known is passed over. Here a misspelt one would run every failed message again. */
function refuseOtherFilters({ url }: Pick<IncomingRequest, 'url'>): void {
  const names = new Set(new URL(url, 'http://localhost').searchParams.keys())
  const message = `is not a filter here; there are ${Object.keys(batchFilters).join(', ')}`
  const fields = [...names].filter((name) => !Object.hasOwn(batchFilters, name)).map((path) => ({ path, message }))
  if (fields.length > 0) throw invalid(...fields)
}

const batchFilters = {
  status: optional(oneOf(transactionStatuses, { description: 'Only ERROR can be retried; that is the default.' })),
  facilityCode: text({ max: 200, optional: true }),
  errorCode: text({ max: 64, optional: true, description: 'Only what failed for this reason.' }),
  ...dayFields,
  messageType: typeField,
  channelId: channelField,
}

/** Nor is a filter passed over because it came in the body, which many a client takes for the place of all parameters. */
function refuseBody({ rawBody }: Pick<IncomingRequest, 'rawBody'>): void {
  if (rawBody === undefined || rawBody.length <= emptyObjectBytes) return
  const message = 'is not read here: filters stand in the address, as in ?facilityCode=CENTRAL&errorCode=CONSENT_DENIED'
  throw invalid({ path: 'body', message })
}

/** `{}`, which some clients send where there is nothing to send. */
const emptyObjectBytes = 2

/** What a batch was not narrowed by. */
const anyUnlessSaid = {
  ...{ facilityCode: null, errorCode: null, from: null, to: null, messageType: null, channelId: null },
} as const

export const retryBatch = adminRoute({
  method: 'POST',
  path: '/api/transactions/retry-batch',
  who: writers,
  tags,
  summary: 'Runs failed messages again, at most a thousand a call; those first that were not run again yet',
  input: { query: batchFilters },
  output: {
    202: object({
      matched: integer(),
      accepted: integer(),
      skipped: integer(),
      transactionIds: list(text()),
      status: text(),
      facilityCode: orNull(text()),
      errorCode: orNull(text()),
      from: orNull(text()),
      to: orNull(text()),
      messageType: orNull(text()),
      channelId: orNull(text()),
    }),
  },
  run: async ({ query, caller, request }, { retries, audited, channels }) => {
    refuseOtherFilters(request)
    refuseBody(request)
    const { status = 'ERROR', channelId, ...others } = query
    if (status !== 'ERROR') {
      const message = 'must be ERROR: nothing else needs a retry'
      throw invalid({ path: 'status', message })
    }
    checkDays(others)
    const filter = { ...others, ...filteredChannel(channelId, channels) }
    const answer = await audited(
      { did: 'retry-batch', caller, request },
      () => retries.retryBatch(filter, caller.subject),
      ({ matched, accepted }) => ({ details: { ...filter, matched, accepted } }),
    )
    return reply(202, { ...answer, transactionIds: [...answer.transactionIds], status, ...anyUnlessSaid, ...filter })
  },
})
