import { loadDefinitions } from '../../../../packages/fhir/definitions.ts'
import { createValidate } from '../../../../packages/fhir/validate/validator.ts'
import { checkHeader, pathOf, type Issue, type Message } from '../../../../packages/hl7/index.ts'
import { mapMessage } from '../../../../services/bridge/mapping/map-message.ts'
import type { Terminal } from '../../terminal.ts'
import { contextOf, isWorthSaying, resourcesOf, type ConvertOptions } from './convert.ts'
import { type Colour, paint } from './paint.ts'
import type { FileMessage } from './read-messages.ts'

interface Finding {
  readonly state: 'error' | 'warning'
  readonly text: string
}

/** `corridor hl7 validate`: what the bridge would say of each message. 1 when it would take one of them not. */
export async function validate(
  messages: readonly FileMessage[],
  options: ConvertOptions,
  terminal: Terminal,
): Promise<number> {
  const check = createValidate(await loadDefinitions())
  const colour = paint(terminal)
  let bad = 0
  for (const { name, parsed } of messages) {
    const findings =
      parsed.message === undefined ? [ofIssue(parsed.refused.issue)] : findingsOf(parsed.message, options, check)
    const isBad = findings.some(({ state }) => state === 'error')
    if (isBad) bad++
    terminal.out(`${isBad ? colour('red', '✗') : colour('green', '✓')} ${name}\n`)
    for (const { state, text } of findings) terminal.out(`    ${colour(colours[state], state)} ${text}\n`)
  }
  terminal.out(`${messages.length - bad} of ${messages.length} messages would be taken.\n`)
  return bad === 0 ? 0 : 1
}

function findingsOf(message: Message, options: ConvertOptions, check: ReturnType<typeof createValidate>): Finding[] {
  const mapping = mapMessage(message, contextOf(message, options))
  const notes = mapping.warnings
    .filter(isWorthSaying)
    .map(({ path, text }): Finding => ({ state: 'warning', text: `${path}: ${text}` }))
  const read = [...message.issues, ...checkHeader(message)].map(ofIssue)
  if (mapping.refused !== undefined) return [...read, ...mapping.refused.map(ofIssue), ...notes]
  const invalid = resourcesOf(mapping).flatMap((resource) =>
    check(JSON.parse(JSON.stringify(resource)))
      .filter(({ severity }) => severity === 'error')
      .map(({ path, message: text }): Finding => ({ state: 'error', text: `${path}: ${text}` })),
  )
  return [...read, ...invalid, ...notes]
}

function ofIssue({ severity, text, location }: Issue): Finding {
  const state = severity === 'E' || severity === 'F' ? 'error' : 'warning'
  return { state, text: location === undefined ? text : `${pathOf(location)}: ${text}` }
}

const colours: Readonly<Record<Finding['state'], Colour>> = { error: 'red', warning: 'yellow' }
