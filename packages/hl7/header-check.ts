import { controlIdOf } from './control-id.ts'
import type { ErrorCode, Issue } from './issue.ts'
import type { Message } from './message.ts'

export interface HeaderRules {
  /** MSH-9.1 that are taken here; all when not given. */
  readonly messageTypes?: readonly string[]
  /** MSH-9.2 that are taken here; all when not given. */
  readonly triggers?: (trigger: string, messageType: string) => boolean
  /** MSH-11.1 that are taken here; all when not given. */
  readonly processingIds?: readonly string[]
  /** MSH-12.1 that are taken here; all when not given. */
  readonly versions?: readonly string[]
  /** MSH-10 may be missing only where duplicates do not matter. */
  readonly requiresControlId?: boolean
}

/** Everything that keeps a message from being taken on a channel, from its header alone. */
export function checkHeader(message: Message, rules: HeaderRules = {}): Issue[] {
  const { messageTypes, triggers, processingIds, versions, requiresControlId = true } = rules
  const type = message.getText('MSH-9.1')
  const trigger = message.getText('MSH-9.2')
  const issues: (Issue | undefined)[] = [
    type === undefined ? missing(9, 'MSH-9, the message type, is missing.') : undefined,
    requiresControlId && controlIdOf(message) === undefined
      ? missing(10, 'MSH-10, the control id, is missing.')
      : undefined,
    type === undefined ? undefined : allowed('200', 9, 'message type', type, messageTypes),
    (triggers?.(trigger ?? '', type ?? '') ?? true) ? undefined : refused('201', 9, 'event', trigger, [], 2),
    allowed('202', 11, 'processing id', message.getText('MSH-11'), processingIds),
    allowed('203', 12, 'version', message.getText('MSH-12'), versions),
  ]
  return issues.filter((issue) => issue !== undefined)
}

function allowed(code: ErrorCode, field: number, what: string, value: string | undefined, list?: readonly string[]) {
  if (list === undefined || (value !== undefined && list.includes(value))) return undefined
  return refused(code, field, what, value, list)
}

function refused(
  code: ErrorCode,
  field: number,
  what: string,
  value: string | undefined,
  taken: readonly string[],
  component = 1,
): Issue {
  const only = taken.length === 0 ? '' : `, only ${taken.join(', ')}`
  const text =
    value === undefined
      ? `No ${what} is given, and one is needed here.`
      : `The ${what} ${value.slice(0, 20)} is not taken here${only}.`
  return { code, severity: 'E', text, location: { segment: 'MSH', sequence: 1, field, repetition: 1, component } }
}

const missing = (field: number, text: string): Issue => ({
  code: '101',
  severity: 'E',
  text,
  location: { segment: 'MSH', sequence: 1, field },
})
