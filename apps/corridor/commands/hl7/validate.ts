import type { Terminal } from '../../terminal.ts'
import type { OfflineBridge, Verdict } from './offline-bridge.ts'
import { type Colour, paint } from './paint.ts'
import type { FileMessage } from './read-messages.ts'

/** `corridor hl7 validate`: what the bridge would say of each message. 1 when it would take one of them not. */
export async function validate(
  messages: readonly FileMessage[],
  bridge: OfflineBridge,
  terminal: Terminal,
): Promise<number> {
  const colour = paint(terminal)
  let bad = 0
  for (const { name, bytes, parsed } of messages) {
    const verdict = await bridge.judge(bytes, parsed.message?.getText('MSH-9.1'))
    const isTaken = verdict.code === 'AA'
    if (!isTaken) bad++
    terminal.out(`${isTaken ? colour('green', '✓') : colour('red', '✗')} ${name}: ${answerIn(verdict)}\n`)
    if (verdict.becomes.length > 0) terminal.out(`    becomes ${counted(verdict.becomes)}\n`)
    for (const { state, text } of verdict.findings) terminal.out(`    ${colour(colours[state], state)} ${text}\n`)
  }
  terminal.out(`${messages.length - bad} of ${messages.length} messages would be taken.\n`)
  return bad === 0 ? 0 : 1
}

/** `AA on adt or oru`, or `AR` where no channel takes it. */
const answerIn = ({ code, channels }: Verdict): string =>
  channels.length === 0 ? code : `${code} on ${channels.join(' or ')}`

/** `Patient, 3 Observation, Provenance` */
const counted = (types: readonly string[]): string =>
  [...Map.groupBy(types, (type) => type)]
    .map(([type, { length }]) => (length === 1 ? type : `${length} ${type}`))
    .join(', ')

const colours: Readonly<Record<'error' | 'warning', Colour>> = { error: 'red', warning: 'yellow' }
