import type { Bundle, FhirResource } from '../../../../packages/fhir/r4.ts'
import type { Message, Zone } from '../../../../packages/hl7/index.ts'
import type { MappingContext } from '../../../../services/bridge/mapping/context.ts'
import { mapMessage } from '../../../../services/bridge/mapping/map-message.ts'
import type { Mapped, Mapping, Warning } from '../../../../services/bridge/mapping/mapped.ts'
import { wholeResource } from '../../../../services/bridge/mapping/merge.ts'
import { toTransaction } from '../../../../services/bridge/mapping/transaction.ts'
import type { Terminal } from '../../terminal.ts'
import { paint } from './paint.ts'
import type { FileMessage } from './read-messages.ts'

export interface ConvertOptions {
  readonly ndjson?: boolean
  readonly bundle?: boolean
  /** The zone of the times of a message that have no offset. */
  readonly zoneOf: (message: Message) => Zone
}

/** `corridor hl7 convert`: the FHIR resources of each message. What was odd goes to standard error; 1 when one is refused. */
export function convert(messages: readonly FileMessage[], options: ConvertOptions, terminal: Terminal): number {
  let code = 0
  for (const { name, parsed } of messages) {
    const mapping: Mapping =
      parsed.message === undefined
        ? { refused: [parsed.refused.issue], warnings: [] }
        : mapMessage(parsed.message, contextOf(parsed.message, options.zoneOf(parsed.message)))
    for (const warning of mapping.warnings)
      if (isWorthSaying(warning)) terminal.err(`${warningLine(name, warning, terminal)}\n`)
    if (mapping.refused === undefined) terminal.out(printed(mapping, options))
    else {
      code = 1
      for (const { text } of mapping.refused) terminal.err(`${paint(terminal)('red', 'refused')} ${name}: ${text}\n`)
    }
  }
  return code
}

/** As the pipeline would see it, without a registry and a terminology: the facility is what MSH-4 says. */
export function contextOf(message: Message, zone: Zone): MappingContext {
  const code = message.getText('MSH-4')?.trim() ?? 'UNKNOWN'
  return {
    base: 'https://corridor.example',
    facility: {
      code,
      organization: `Organization/${code.replaceAll(/[^A-Za-z0-9.-]+/g, '-').slice(0, 64)}`,
      namespaces: new Map(),
    },
    zone,
    settings: {},
    terms: new Map(),
  }
}

/** The resources as they would be stored: with ids, and references to these. */
export function resourcesOf({ writes }: Mapped): FhirResource[] {
  const references = new Map(
    writes.map(({ fullUrl, resource }) => [fullUrl, `${resource.resourceType}/${fullUrl.slice('urn:uuid:'.length)}`]),
  )
  return writes
    .filter(({ mode }) => mode !== 'amend')
    .map((write) => {
      const { resourceType, ...elements } = wholeResource(write)
      const id = write.fullUrl.slice('urn:uuid:'.length)
      // Sound: only ids and the texts of references change.
      return withReferences({ resourceType, id, ...elements }, references) as FhirResource
    })
}

function withReferences(value: unknown, references: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return references.get(value) ?? value
  if (Array.isArray(value)) return value.map((item) => withReferences(item, references))
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withReferences(inner, references)]))
}

function printed(mapping: Mapped, { ndjson, bundle }: ConvertOptions): string {
  if (bundle === true) {
    const transaction: Bundle = toTransaction(mapping)
    return ndjson === true ? `${JSON.stringify(transaction)}\n` : `${JSON.stringify(transaction, null, 2)}\n`
  }
  return resourcesOf(mapping)
    .map((resource) => `${ndjson === true ? JSON.stringify(resource) : JSON.stringify(resource, null, 2)}\n`)
    .join('')
}

/** Without a terminology every code is one that was not looked up. */
const isWorthSaying = ({ kind }: Warning): boolean => kind !== 'not-looked-up' && kind !== 'unmapped-code'

const warningLine = (name: string, { path, text }: Warning, terminal: Terminal): string =>
  `${paint(terminal)('yellow', 'note')} ${name} ${path}: ${text}`
