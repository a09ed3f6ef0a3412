import { Type } from 'typebox'
import { missing } from '../../../packages/faults/fault.ts'
import { flag, instant, integer, list, object, orNull, text } from '../../../packages/http/fields.ts'
import type { Queryable } from '../../../packages/sql/database.ts'
import { attemptsOf, findTransaction, type AttemptRow, type TransactionRow } from '../store/transactions.ts'
import { readers } from './callers.ts'
import { adminRoute } from './deps.ts'
import { transactionView, TransactionView } from './transaction-view.ts'

export const transactionParams = { transactionId: text({ max: 200 }) }

export const getTransaction = adminRoute({
  method: 'GET',
  path: '/api/transactions/:transactionId',
  who: readers,
  tags: ['Transactions'],
  summary: 'One transaction',
  input: { params: transactionParams },
  output: { 200: TransactionView },
  run: async ({ params }, { database }) => transactionView(await existingTransaction(params.transactionId, database)),
})

export const getAttempts = adminRoute({
  method: 'GET',
  path: '/api/transactions/:transactionId/attempts',
  who: readers,
  tags: ['Transactions'],
  summary: 'How often it was tried, and how each try ended',
  input: { params: transactionParams },
  output: {
    200: list(
      object({
        attempt: integer(),
        endedAt: instant(),
        status: text(),
        stage: text(),
        stageMs: Type.Record(Type.String(), Type.Number()),
        wasCalled: flag({
          description:
            'Whether the dependency was asked; an open circuit asks nobody, nor does who gets no connection.',
        }),
        errorCode: orNull(text()),
        errorMessage: orNull(text()),
        askedBy: orNull(text({ description: 'Who wanted it; null for the sender, and for the retry queue.' })),
      }),
    ),
  },
  run: async ({ params }, { database }) => {
    const transaction = await existingTransaction(params.transactionId, database)
    const attempts = await attemptsOf(transaction.id, database)
    return (attempts.length === 0 ? onlyAttempt(transaction) : attempts).map((one) => ({
      attempt: one.attempt,
      endedAt: one.ended_at.toISOString(),
      status: one.status,
      stage: one.stage,
      stageMs: one.stage_ms,
      wasCalled: one.was_called,
      errorCode: one.error_code,
      errorMessage: one.error_message,
      askedBy: one.asked_by,
    }))
  },
})

/** Of a message that was run once the log is all there is. A duplicate was not run. */
const onlyAttempt = ({ status, completed_at: ended_at, attempts: attempt, ...rest }: TransactionRow): AttemptRow[] =>
  ended_at === null || status === 'DUPLICATE'
    ? []
    : [{ ...rest, attempt, run: 1, ended_at, status, was_called: true, asked_by: null }]

export async function existingTransaction(id: string, on: Queryable): Promise<TransactionRow> {
  const found = await findTransaction(id, on)
  if (found === undefined) throw missing('There is no such transaction.')
  return found
}
