import type { Message } from '../../../packages/hl7/index.ts'

/**
 * QPD as the audit keeps it. Audit records hold numbers of people and nothing else about them, so a search for somebody
 * says there by which fields they were looked for and not what was in them: `@PID.5.1^***~@PID.3.1^MRN0001`.
 */
export function auditedQuery(message: Message): string | undefined {
  const { raw } = message.segment('QPD') ?? {}
  if (raw === undefined || byNumber.has(message.getText('MSH-9.2') ?? '')) return raw
  const { field, repetition, component } = message.delimiters
  const [name, query, tag, asked = '', ...rest] = raw.split(field)
  const shown = asked.split(repetition).map((one) => {
    const [place = ''] = one.split(component, 1)
    return numbers.test(place) ? one : [place.startsWith('@') ? place : '', hidden].join(component)
  })
  return [name, query, tag, shown.join(repetition), ...rest].join(field)
}

/** Q21 and Q23 name a person by number, Q24 asks for a new one. */
const byNumber = new Set(['Q21', 'Q23', 'Q24'])

const numbers = /^@PID\.(?:2|3|18)(?:\.\d|$)/

const hidden = '***'
