import { parseMessage, type Part } from '../../../../packages/hl7/index.ts'
import { type At, at } from '../at.ts'
import type { MappingContext } from '../context.ts'
import { Draft } from '../draft.ts'
import { testContext } from './context.ts'

/** A field with this raw text, for the tests of data types: `PID-5` of a small message. */
export function placed(
  raw: string,
  changes: Partial<MappingContext> = {},
): { part: Part | undefined; place: At; draft: Draft } {
  const message = parseMessage(`MSH|^~\\&|PAS|CENTRAL|||20260304||ADT^A01|1|P|2.5.1\rPID|||||${raw}\r`)
  const draft = new Draft(message, testContext(changes))
  const pid = message.segment('PID')
  if (pid === undefined) throw new Error('the message of the test has no PID')
  return { part: pid.part(5), place: at(draft, pid, 5), draft }
}
