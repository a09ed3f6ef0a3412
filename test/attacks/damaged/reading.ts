import { makeHoldReading, readerCount } from '../../../packages/hl7/testing/held-reading.ts'
import { caseMessages } from '../../../services/bridge/mapping/testing/case-files.ts'
import { MessageChanges } from './changed-message.ts'
import type { Target } from './target.ts'

const headers = [
  'MSH|^~\\&|A|B|C|D|2026||ADT^A01^ADT_A01|7|P|2.5.1||||||8859/1\r',
  'MSH#:*@+#A#####ADT:A01#9#T#2.8#######UNICODE UTF-8\rPID#1##a:b*c\r',
  'FHS|^~\\&|A\rBHS|^~\\&|A\rMSH|^~\\&|A|B|||||ADT^A08|1|P|2.5\rPID|1\rBTS|1\rFTS|1\r',
]

/** Whatever reads bytes: the batch, the parser, the types of fields, and who answers that nothing could be read. */
export function makeTarget(): Target {
  const seeds = [...headers, ...caseMessages().map((text) => text.replaceAll('\n', '\r'))]
  const changes = new MessageChanges(seeds)
  const holdReading = makeHoldReading()
  let turn = 0
  return {
    seeds,
    change: (choose, from, kept) => changes.change(choose, from, kept),
    attempt(text) {
      turn = (turn + 1) % (2 * readerCount)
      holdReading(Buffer.from(text, turn % 2 === 0 ? 'utf8' : 'latin1'), turn)
      return undefined
    },
  }
}
