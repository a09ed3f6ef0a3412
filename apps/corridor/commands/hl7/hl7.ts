import type { Readable } from 'node:stream'
import type { Command } from 'commander'
import { systemIds } from '../../../../packages/clock/ids.ts'
import { incorrect } from '../../../../packages/faults/fault.ts'
import { makeZone, type ClientTls } from '../../../../packages/hl7/index.ts'
import { zoneOfMessage } from '../../../../services/bridge/pipeline/zone-of-message.ts'
import { corridorConfiguration, type ConfigurationChoice } from '../../load-configuration.ts'
import type { Terminal } from '../../terminal.ts'
import { readTextFile } from '../read-file.ts'
import type { ConvertOptions } from './convert.ts'
import { readMessages, withNewId, type FileMessage } from './read-messages.ts'
import { send } from './send.ts'
import { show } from './show.ts'

interface Hl7CommandDeps {
  readonly terminal: Terminal
  readonly input: Readable
  /** Adds the options that every command has. */
  readonly common: (command: Command) => Command
  readonly choiceOf: (command: Command) => ConfigurationChoice
  readonly finish: (code: number) => void
}

/** `corridor hl7`: HL7v2 messages in files, without a server. `-` is standard input. */
export function addHl7Commands(corridor: Command, deps: Hl7CommandDeps): void {
  const { terminal, input, common, choiceOf, finish } = deps
  /** Ends with 1 where a file has more than was read. */
  const withMessages = async (files: string[], work: (messages: FileMessage[]) => number | Promise<number>) => {
    let isWhole = true
    const messages = await readMessages(files, input, (sentence) => {
      terminal.err(`${sentence}\n`)
      isWhole = false
    })
    const code = await work(messages)
    finish(isWhole ? code : 1)
  }
  const hl7 = corridor
    .command('hl7')
    .description('show, convert, validate and send HL7v2 messages')
    .addHelpText('after', examples)
  hl7
    .command('show')
    .description('print messages as a tree with the names of their fields')
    .argument('<file...>', fileWords)
    .action((files: string[]) => withMessages(files, (messages) => show(messages, terminal)))
  hl7
    .command('convert')
    .description('print the FHIR R4 resources that messages become')
    .argument('<file...>', fileWords)
    .option('--ndjson', 'one resource (or bundle) a line')
    .option('--bundle', 'a transaction of conditional updates for each message')
    .option('--zone <name>', `${zoneWords}; otherwise as MSH-7 has it, or this machine’s`)
    .action(async (files: string[], words: ConvertWords) => {
      // The mapping is large, and only these two commands need it.
      const { convert } = await import('./convert.ts')
      await withMessages(files, (messages) => convert(messages, converting(words), terminal))
    })
  common(hl7.command('validate'))
    .description('say what the bridge would say of messages, without sending them; exit 1 when one is refused')
    .argument('<file...>', fileWords)
    .option('--zone <name>', `${zoneWords}; otherwise as MSH-7 has it, or as configured`)
    .addHelpText('after', validateHelp)
    .action(async (files: string[], { zone }: { zone?: string }, command: Command) => {
      const { OfflineBridge } = await import('./offline-bridge.ts')
      const { validate } = await import('./validate.ts')
      // Nobody who looks at messages has to be able to read secrets.
      const { configuration } = corridorConfiguration({ ...choiceOf(command), secretsOf: [] })
      const options = { bridge: configuration.bridge, zone: zone === undefined ? undefined : makeZone(zone) }
      await withMessages(files, async (messages) => validate(messages, await OfflineBridge.open(options), terminal))
    })
  hl7
    .command('send')
    .description('send messages over MLLP and show the answers; exit 1 when one is not accepted')
    .argument('<file...>', fileWords)
    .requiredOption('--port <number>', 'needed: the port of the receiver')
    .option('--host <name>', 'the receiver', '127.0.0.1')
    .option('--tls', 'over TLS')
    .option('--ca <file>', 'who must have signed the receiver’s certificate (PEM); otherwise the system’s authorities')
    .option('--cert <file>', 'the certificate to show (PEM), with --key')
    .option('--key <file>', 'its private key (PEM)')
    .option(
      '--new-ids',
      'give each message a new control id (MSH-10), so that none is a duplicate of what was sent before',
    )
    .option('--timeout <seconds>', 'how long to wait for a connection and for each answer', '30')
    .action(async (files: string[], words: SendWords) => {
      const read = await readMessages(files, input, (sentence) => {
        throw incorrect(`${sentence} Nothing was sent: a part of a file is not what was meant.`)
      })
      const messages = words.newIds === true ? read.map((message) => withNewId(message, systemIds)) : read
      const tls = await tlsOf(words)
      const options = {
        host: words.host,
        port: wholeNumber(words.port, '--port', 65_535),
        timeoutMs: wholeNumber(words.timeout, '--timeout', 3_600) * 1_000,
      }
      finish(await send(messages, { ...options, ...(tls === undefined ? {} : { tls }) }, terminal))
    })
}

const examples = `
Examples:
  corridor hl7 show message.hl7                   its fields, with their names
  corridor hl7 convert --ndjson message.hl7       what it becomes in FHIR R4
  corridor hl7 validate -c corridor.yaml day.hl7  what this bridge would answer
  corridor hl7 send --port 2575 message.hl7       to the admissions of a local demo`

const validateHelp = `
Each message with the answer that it would get and the channel that takes it,
the resources that it becomes, and what is refused, changed or left out, by
segment and field. The channels are those of the configuration, or of a
production without settings. Codes are looked up in what comes with Corridor:
those that were loaded or mapped later are warned of, too. Not asked: whether
the facility is registered, and whether the patient agrees.`

const zoneWords = 'the zone of times without offset, such as Europe/Vienna'

const fileWords = 'files with one or many messages, plain, framed or in batches; - is standard input'

interface ConvertWords extends Omit<ConvertOptions, 'zoneOf'> {
  readonly zone?: string
}

interface SendWords {
  readonly port: string
  readonly host: string
  readonly timeout: string
  readonly newIds?: boolean
  readonly tls?: boolean
  readonly ca?: string
  readonly cert?: string
  readonly key?: string
}

/** Made once for all messages. A name that is none is refused here. */
function converting({ zone, ...words }: ConvertWords): ConvertOptions {
  if (zone !== undefined) {
    const said = makeZone(zone)
    return { ...words, zoneOf: () => said }
  }
  const ours = makeZone(Intl.DateTimeFormat().resolvedOptions().timeZone)
  return { ...words, zoneOf: (message) => zoneOfMessage(message) ?? ours }
}

function wholeNumber(text: string, option: string, max: number): number {
  const value = Number(text)
  if (Number.isInteger(value) && value >= 1 && value <= max) return value
  throw incorrect(`${option} must be a whole number from 1 to ${max}.`)
}

async function tlsOf({ tls, ca, cert, key }: SendWords): Promise<ClientTls | undefined> {
  // Before anything is taken for a wish to send in the clear.
  if ((cert === undefined) !== (key === undefined)) throw incorrect('--cert and --key go together. Give both, or none.')
  if (tls !== true && ca === undefined && cert === undefined) return undefined
  return {
    ...(ca === undefined ? {} : { ca: await readTextFile(ca) }),
    ...(cert === undefined ? {} : { cert: await readTextFile(cert) }),
    ...(key === undefined ? {} : { key: await readTextFile(key) }),
  }
}
