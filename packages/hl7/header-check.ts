import { controlIdOf } from './control-id.ts'
import type { ErrorCode, Issue } from './issue.ts'
import type { Message } from './message.ts'

export interface HeaderRules {
  /** MSH-9.1 that are taken here; all when not given. */
  readonly messageTypes?: readonly string[]
  /** MSH-11.1 that are taken here; all when not given. */
  readonly processingIds?: readonly string[]
  /** MSH-12.1 that are taken here; all when not given. */
  readonly versions?: readonly string[]
}

/** Everything that keeps a message from being taken on a channel, from its header alone. */
export function checkHeader(message: Message, rules: HeaderRules = {}): Issue[] {
  const { messageTypes, processingIds, versions } = rules
  const type = message.getText('MSH-9.1')
  const issues: (Issue | undefined)[] = [
    type === undefined ? missing(9, 'MSH-9, the message type, is missing.') : undefined,
    controlIdOf(message) === undefined ? missing(10, 'MSH-10, the control id, is missing.') : undefined,
    type === undefined ? undefined : refused(messageType, type, messageTypes),
    refused(processingId, message.getText('MSH-11'), processingIds),
    refused(version, message.getText('MSH-12'), versions),
  ]
  return issues.filter((issue) => issue !== undefined)
}

interface Judged {
  readonly code: ErrorCode
  readonly field: number
  readonly what: string
}

const messageType: Judged = { code: '200', field: 9, what: 'message type' }
const processingId: Judged = { code: '202', field: 11, what: 'processing id' }
const version: Judged = { code: '203', field: 12, what: 'version' }

function refused({ code, field, what }: Judged, value: string | undefined, taken?: readonly string[]) {
  if (taken === undefined || (value !== undefined && taken.includes(value))) return undefined
  const only = taken.length === 0 ? '' : `, only ${taken.join(', ')}`
  const text =
    value === undefined
      ? `No ${what} is given, and one is needed here.`
      : `The ${what} ${value.slice(0, 20)} is not taken here${only}.`
  const location = { segment: 'MSH', sequence: 1, field, repetition: 1, component: 1 }
  return { code, severity: 'E', text, location } as const
}

const missing = (field: number, text: string): Issue => ({
  code: '101',
  severity: 'E',
  text,
  location: { segment: 'MSH', sequence: 1, field },
})
