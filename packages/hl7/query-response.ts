import { addOutcome, beginAnswer, type Answer, type AnswerDeps } from './acknowledge.ts'
import type { MessageBuilder } from './builder.ts'
import { raw, type FieldValue } from './field-value.ts'
import type { Message } from './message.ts'
import { isAtLeast } from './version.ts'

/** HL7 table 0208. */
export type QueryStatus = 'OK' | 'NF' | 'AE' | 'AR' | 'PD'

export interface QueryResponse extends Answer {
  readonly status: QueryStatus
  /** QAK-4 to QAK-6: how many were found, are in this answer, and remain. */
  readonly hits?: { readonly total: number; readonly here: number; readonly remaining: number }
  /** Adds PID, QRI and what else each row needs. */
  readonly rows?: (builder: MessageBuilder) => void
  /** DSC-1, when more can be asked for. */
  readonly continuation?: string
}

/** RSP: the answer to a QBP query, with its QPD echoed. */
export function respondToQuery(query: Message, response: QueryResponse, deps: AnswerDeps): Message {
  const builder = beginAnswer(query, responseType(query), deps)
  addOutcome(builder, query, response)
  const qpd = query.segment('QPD')
  const { hits } = response
  builder.add('QAK', [
    raw(qpd?.rawField(2)),
    response.status,
    raw(qpd?.rawField(1)),
    hits?.total,
    hits?.here,
    hits?.remaining,
  ])
  if (qpd !== undefined) builder.addRaw(`QPD${qpd.raw.slice(3)}`)
  response.rows?.(builder)
  if (response.continuation !== undefined) builder.add('DSC', [response.continuation, 'I'])
  return builder.message()
}

/** Q22 is answered by K22. IHE and versions before 2.7 let the answers to Q21 and Q22 share one structure. */
function responseType(query: Message): FieldValue {
  const trigger = query.getText('MSH-9.2') ?? ''
  const own = trigger.startsWith('Q') ? `K${trigger.slice(1)}` : trigger.replace(/^ZV1$/, 'ZV2')
  if (trigger === 'Q22') return ['RSP', own, isAtLeast(query.getText('MSH-12'), '2.7') ? 'RSP_K22' : 'RSP_K21']
  if (trigger === 'Q24') return ['RSP', own, 'RSP_K23']
  return own === '' ? ['RSP'] : ['RSP', own, `RSP_${own}`]
}
