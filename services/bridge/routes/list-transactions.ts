import { oneOf, optional, text } from '../../../packages/http/fields.ts'
import { pageOf, pageQuery, PageSchema, readPage } from '../../../packages/http/page-envelope.ts'
import { recordLook } from '../store/looks.ts'
import {
  contentSearchMax,
  listTransactions as list,
  transactionOrders,
  transactionStatuses,
} from '../store/transactions.ts'
import { channelField, filteredChannel, typeField } from './channel-param.ts'
import { readers } from './callers.ts'
import { checkDays, dayFields } from './days.ts'
import { adminRoute } from './deps.ts'
import { transactionView, TransactionView } from './transaction-view.ts'

export const listTransactions = adminRoute({
  method: 'GET',
  path: '/api/transactions',
  who: readers,
  tags: ['Transactions'],
  summary: 'The transaction log, newest first',
  input: {
    query: {
      ...pageQuery(),
      status: optional(oneOf(transactionStatuses)),
      facilityCode: text({ max: 200, optional: true }),
      ...dayFields,
      messageType: typeField,
      channelId: channelField,
      controlId: text({ max: 250, optional: true, description: 'MSH-10; of longer ones the first 250 characters.' }),
      patientId: text({ max: 200, optional: true, description: 'Id in the store, golden id, or identifier of PID-3.' }),
      errorCode: text({ max: 64, optional: true, description: 'Why it failed, or waits: `CONSENT_DENIED`.' }),
      q: text({
        min: 3,
        max: 200,
        optional: true,
        description: `Text anywhere in the message, in capitals or not; the newest ${contentSearchMax} of the days are looked through.`,
      }),
      sort: optional(oneOf(transactionOrders)),
    },
  },
  output: { 200: PageSchema(TransactionView) },
  run: async ({ query, caller, request }, { channels, database, clock, ids }) => {
    const { page, size, sort = 'startedAt,desc', channelId, ...filter } = query
    const wanted = readPage({ ...(page === undefined ? {} : { page }), ...(size === undefined ? {} : { size }) })
    checkDays(filter)
    const channel = filteredChannel(channelId, channels)
    // Whoever searches in what messages say, or for a patient, learns from the answer what they say.
    if (filter.q !== undefined || filter.patientId !== undefined) {
      await recordLook({ caller, transactionId: '', what: 'search', requestId: request.id }, { database, clock, ids })
    }
    const { rows, total } = await list({ ...filter, ...channel }, sort, wanted, database)
    return pageOf(rows.map(transactionView), wanted, total)
  },
})
