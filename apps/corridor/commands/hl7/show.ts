import { fieldName, segmentTitle, type Message, type Part, type Segment } from '../../../../packages/hl7/index.ts'
import type { Terminal } from '../../terminal.ts'
import { type Colour, paint } from './paint.ts'
import type { FileMessage } from './read-messages.ts'

/** `corridor hl7 show`: each message as a tree, every value with its place and name. 1 when one cannot be read. */
export function show(messages: readonly FileMessage[], terminal: Terminal): number {
  let code = 0
  for (const { name, parsed } of messages) {
    terminal.out(`${paint(terminal)('bold', name)}\n`)
    if (parsed.message === undefined) {
      terminal.out(`  ${paint(terminal)('red', parsed.refused.issue.text)}\n`)
      code = 1
    } else terminal.out(`${treeOf(parsed.message, terminal)}\n`)
  }
  return code
}

/** The tree of a message. Empty places are left out; `""` is shown, because it means: delete. */
function treeOf(message: Message, terminal: Terminal): string {
  const colour = paint(terminal)
  return message.all
    .flatMap((segment) => {
      const title = segmentTitle(segment.name) ?? (segment.name.startsWith('Z') ? 'the sender’s own' : '')
      return [`${colour('bold', segment.name)}  ${colour('faint', title)}`, ...fieldLines(segment, colour)]
    })
    .map((line) => `  ${line}`)
    .join('\n')
}

type Paint = (colour: Colour, text: string) => string

function fieldLines(segment: Segment, colour: Paint): string[] {
  const lines: string[] = []
  const { lastField } = segment
  for (let field = 1; field <= lastField; field++) {
    const name = fieldName(segment.name, field) ?? ''
    const repetitions = segment.repetitions(field)
    for (const [index, part] of repetitions.entries()) {
      if (part.isEmpty) continue
      const place = `${segment.name}-${field}${repetitions.length > 1 ? `[${index}]` : ''}`
      const head = `  ${colour('blue', place.padEnd(10))} ${name.padEnd(nameWidth)}`
      lines.push(part.count === 1 ? `${head} ${valueOf(part)}` : head.trimEnd())
      for (const line of componentLines(part, place, colour)) lines.push(line)
    }
  }
  return lines
}

function componentLines(part: Part, place: string, colour: Paint): string[] {
  if (part.count === 1) return []
  return Array.from({ length: part.count }, (_none, index) => index + 1).flatMap((number) => {
    const component = part.part(number)
    if (component === undefined || component.isEmpty) return []
    const parts = Array.from({ length: component.count }, (_none, index) => component.part(index + 1))
    const shown = parts.map((one) => (one === undefined ? '' : valueOf(one))).join(colour('faint', ' & '))
    return [`    ${colour('faint', `${place}.${number}`.padEnd(place.length + 3))} ${shown}`]
  })
}

/** On one line; what would move the cursor is shown as a sign. */
function valueOf(part: Part): string {
  if (part.isNull) return '"" (delete)'
  const text = part.whole.replaceAll(/\r\n|\r|\n/g, ' ⏎ ').replaceAll(/[\0-\u001F\u007F-\u009F]/g, '�')
  return text.length > valueMax ? `${text.slice(0, valueMax)}… (${text.length} characters)` : text
}

const nameWidth = 34
const valueMax = 200
