import { SimulatedClock } from '../../../../packages/clock/simulated-clock.ts'
import { type Message, parseMessage } from '../../../../packages/hl7/index.ts'
import { queryReply } from '../query-reply.ts'
import type { PatientQuery } from '../../mapping/families/qbp/query.ts'
import { readQuery } from '../../mapping/families/qbp/read-query.ts'
import { testContext } from '../../mapping/testing/context.ts'
import { outcomeOf } from './query-patients.ts'

/** The same time and control id for every reply, so that files can hold it. */
export const queryDeps = {
  clock: new SimulatedClock('2026-03-04T06:15:00Z'),
  ids: { uuid: () => 'REPLY', timeUuid: () => 'REPLY', secret: () => 'REPLY' },
  authorities: {
    base: 'https://corridor.example',
    facility: 'CENTRAL',
    namespaces: new Map([['https://national.example/id', 'NATID']]),
  },
  resolve: () => undefined,
}

/** As the pipeline does it: read, looked for, answered. */
export function answerOf(text: string | Uint8Array): { readonly query: PatientQuery; readonly reply: Message } {
  const message = parseMessage(text)
  const read = readQuery(message, testContext())
  if ('refused' in read) throw new Error(read.refused[0]?.text)
  return { query: read.query, reply: queryReply(message, read.query, outcomeOf(read.query), queryDeps).reply }
}
