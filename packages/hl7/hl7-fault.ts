import { Fault } from '../faults/fault.ts'
import { pathOf, type Issue } from './issue.ts'
import type { Message } from './message.ts'

/** A message that cannot be read. Carries the issue for the answer, and the header where that could be read. */
export class Hl7Fault extends Fault {
  readonly issue: Issue
  readonly header: Message | undefined

  constructor(issue: Issue, header?: Message) {
    const fields = issue.location === undefined ? [] : [{ path: pathOf(issue.location), message: issue.text }]
    super('incorrect', issue.text, { code: 'HL7_UNREADABLE', fields })
    this.issue = issue
    this.header = header
  }
}
