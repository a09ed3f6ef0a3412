import { missing } from '../../../packages/faults/fault.ts'
import { bytes, openJson } from '../../../packages/http/content.ts'
import { recordLook } from '../store/looks.ts'
import { answerOf, rawMessage } from '../store/transactions.ts'
import { writers } from './callers.ts'
import { adminRoute } from './deps.ts'
import { existingTransaction, transactionParams } from './get-transaction.ts'
import { writtenVersions } from './written-versions.ts'

const tags = ['Transactions']
const hl7 = bytes('application/hl7-v2')

export const getRaw = adminRoute({
  method: 'GET',
  path: '/api/transactions/:transactionId/raw',
  who: writers,
  tags,
  summary: 'The message, byte for byte as it was sent; the look is recorded',
  input: { params: transactionParams },
  output: { 200: hl7 },
  run: async ({ params, caller, request }, deps) => {
    const { id } = await existingTransaction(params.transactionId, deps.database)
    await recordLook({ caller, transactionId: id, what: 'raw', requestId: request.id }, deps)
    const raw = await rawMessage(id, deps.database)
    if (raw === undefined) throw missing('The bytes of this message are past their retention.', { code: 'RAW_PRUNED' })
    return raw
  },
})

export const getAck = adminRoute({
  method: 'GET',
  path: '/api/transactions/:transactionId/ack',
  who: writers,
  tags,
  summary: 'The answer, byte for byte as it was sent; the look is recorded',
  input: { params: transactionParams },
  output: { 200: hl7 },
  run: async ({ params, caller, request }, deps) => {
    const { id } = await existingTransaction(params.transactionId, deps.database)
    await recordLook({ caller, transactionId: id, what: 'ack', requestId: request.id }, deps)
    const ack = await answerOf(id, deps.database)
    if (ack === undefined) throw missing('No answer to this message is kept.', { code: 'NO_ANSWER' })
    return ack
  },
})

export const getFhir = adminRoute({
  method: 'GET',
  path: '/api/transactions/:transactionId/fhir',
  who: writers,
  tags,
  summary: 'The resources in the versions that the message wrote; the look is recorded',
  input: { params: transactionParams },
  output: { 200: openJson('application/fhir+json') },
  run: async ({ params, caller, request }, deps) => {
    const { id, resources } = await existingTransaction(params.transactionId, deps.database)
    await recordLook({ caller, transactionId: id, what: 'fhir', requestId: request.id }, deps)
    return writtenVersions(resources, deps.store)
  },
})
