import { page, redirect } from '../../../../packages/http/answer.ts'
import { formType } from '../../../../packages/http/body.ts'
import { html, nothing } from '../../../../packages/http/content.ts'
import { object, text } from '../../../../packages/http/fields.ts'
import type { Queryable } from '../../../../packages/sql/database.ts'
import { visiting } from '../../../../packages/sign-in/visiting.ts'
import { renderFragment, renderPage } from '../../../../packages/views/render.ts'
import { listDeliveries } from '../../outbound/store/deliveries.ts'
import { existingTransaction } from '../../routes/get-transaction.ts'
import { retriedTransaction, retryFor } from '../../routes/retry.ts'
import { refusalOf } from '../../store/consent-refusals.ts'
import { cameAgain } from '../../store/dead-letters.ts'
import { recordLook } from '../../store/looks.ts'
import { answerOf, attemptsOf, rawMessage, type TransactionRow } from '../../store/transactions.ts'
import { consoleRoute } from '../deps.ts'
import { answerText } from './transaction-answer.ts'
import { OutcomeNow } from './transaction-outcome.tsx'
import { TransactionPage } from './transaction-page.tsx'
import { messagePath } from './message-path.ts'

const tags = ['Console']
const params = { id: text({ max: 200 }) }
const shownBytesMax = 8_000

export const transactionPage = consoleRoute({
  method: 'GET',
  path: '/console/messages/:id',
  who: visiting('ADMIN'),
  tags,
  summary: 'One message: where it stands, what it says, what it became',
  input: { params },
  output: { 200: html, 302: nothing },
  run: async ({ params: { id }, caller: visitor, request }, deps) => {
    const { database, addresses, assetUrl } = deps
    const row = await existingTransaction(id, database)
    for (const what of ['raw', 'fhir', 'ack'] as const) {
      await recordLook({ caller: visitor.caller, transactionId: row.id, what, requestId: request.id }, deps)
    }
    const [raw, ack, attempts, deliveries, refusal, cameAgainAs] = await Promise.all([
      rawMessage(row.id, database),
      answerOf(row.id, database),
      attemptsOf(row.id, database),
      listDeliveries(row.id, database),
      refusalWhere(row, database),
      cameAgain(row.id, database),
    ])
    const retold = raw === undefined ? undefined : await deps.retell(raw, row)
    const model = {
      ...{ visitor, addresses, assetUrl, row, retold, attempts, deliveries, refusal, cameAgainAs },
      rawText: raw?.subarray(0, shownBytesMax).toString('latin1'),
      ack: ack && answerText(ack, retold?.message),
    }
    return page(renderPage(<TransactionPage model={model} />))
  },
})

export const transactionNow = consoleRoute({
  method: 'GET',
  path: '/console/messages/:id/now',
  who: visiting('ADMIN'),
  tags,
  summary: 'Where a message stands, for the page that shows it',
  input: { params },
  output: { 200: html, 302: nothing },
  run: async ({ params: { id } }, { database, addresses }) => {
    const row = await existingTransaction(id, database)
    const refusal = await refusalWhere(row, database)
    return page(renderFragment(<OutcomeNow row={row} refusal={refusal} addresses={addresses} />))
  },
})

export const retryMessage = consoleRoute({
  method: 'POST',
  path: '/console/messages/:id/retry',
  who: visiting('ADMIN'),
  tags,
  summary: 'Runs a failed message again',
  accepts: [formType],
  input: { params, body: object({}) },
  output: { 303: nothing },
  run: async ({ params: { id }, caller: { caller }, request }, deps) => {
    const answer = await retryFor({ caller, request }, id, deps)
    // Whoever clicks twice, or after somebody else, is shown how it went.
    if (answer.is !== 'not-failed') retriedTransaction(answer)
    return redirect(303, messagePath(id))
  },
})

const refusalWhere = async ({ id, error_code }: TransactionRow, on: Queryable) =>
  error_code === 'CONSENT_DENIED' ? refusalOf(id, on) : undefined
