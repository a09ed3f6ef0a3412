import type { Readable } from 'node:stream'
import type { Command } from 'commander'
import { incorrect } from '../../../../packages/faults/fault.ts'
import { makeZone, type ClientTls } from '../../../../packages/hl7/index.ts'
import type { Terminal } from '../../terminal.ts'
import { readTextFile } from '../read-file.ts'
import type { ConvertOptions } from './convert.ts'
import { readMessages } from './read-messages.ts'
import { send } from './send.ts'
import { show } from './show.ts'

interface Hl7CommandDeps {
  readonly terminal: Terminal
  readonly input: Readable
  readonly finish: (code: number) => void
}

/** `corridor hl7`: HL7v2 messages in files, without a server. `-` is standard input. */
export function addHl7Commands(corridor: Command, { terminal, input, finish }: Hl7CommandDeps): void {
  const hl7 = corridor
    .command('hl7')
    .description('show, convert, validate and send HL7v2 messages')
    .addHelpText('after', examples)
  hl7
    .command('show')
    .description('print messages as a tree with the names of their fields')
    .argument('<file...>', fileWords)
    .action(async (files: string[]) => finish(show(await readMessages(files, input), terminal)))
  withZone(hl7.command('convert'))
    .description('print the FHIR R4 resources that messages become')
    .argument('<file...>', fileWords)
    .option('--ndjson', 'one resource (or bundle) a line')
    .option('--bundle', 'a transaction of conditional updates for each message')
    .action(async (files: string[], words: ConvertWords) => {
      // The mapping is large, and only these two commands need it.
      const { convert } = await import('./convert.ts')
      finish(convert(await readMessages(files, input), converting(words), terminal))
    })
  withZone(hl7.command('validate'))
    .description('say what the bridge would say of messages, without sending them; exit 1 when one is refused')
    .argument('<file...>', fileWords)
    .action(async (files: string[], words: ConvertWords) => {
      const { validate } = await import('./validate.ts')
      finish(await validate(await readMessages(files, input), converting(words), terminal))
    })
  hl7
    .command('send')
    .description('send messages over MLLP and show the answers; exit 1 when one is not accepted')
    .argument('<file...>', fileWords)
    .requiredOption('--port <number>', 'the port of the receiver')
    .option('--host <name>', 'the receiver', '127.0.0.1')
    .option('--tls', 'over TLS')
    .option('--ca <file>', 'who must have signed the receiver’s certificate (PEM); otherwise the system’s authorities')
    .option('--cert <file>', 'the certificate to show (PEM), with --key')
    .option('--key <file>', 'its private key (PEM)')
    .option('--timeout <seconds>', 'how long to wait for a connection and for each answer', '30')
    .action(async (files: string[], words: SendWords) => {
      const messages = await readMessages(files, input)
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
  corridor hl7 show message.hl7              its fields, with their names
  corridor hl7 convert --ndjson message.hl7  what it becomes in FHIR R4
  corridor hl7 send --port 2575 message.hl7  to the admissions of a local demo`

const fileWords = 'files with one or many messages, plain, framed or in batches; - is standard input'

interface ConvertWords extends Omit<ConvertOptions, 'zone'> {
  readonly zone?: string
}

interface SendWords {
  readonly port: string
  readonly host: string
  readonly timeout: string
  readonly tls?: boolean
  readonly ca?: string
  readonly cert?: string
  readonly key?: string
}

const withZone = (command: Command): Command =>
  command.option('--zone <name>', 'the zone of times without offset, such as Europe/Vienna; otherwise this machine’s')

/** Made once for all messages. A name that is none is refused here. */
const converting = ({ zone, ...words }: ConvertWords): ConvertOptions => ({
  ...words,
  zone: makeZone(zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone),
})

function wholeNumber(text: string, option: string, max: number): number {
  const value = Number(text)
  if (Number.isInteger(value) && value >= 1 && value <= max) return value
  throw incorrect(`${option} must be a whole number from 1 to ${max}.`)
}

async function tlsOf({ tls, ca, cert, key }: SendWords): Promise<ClientTls | undefined> {
  // Before anything is taken for a wish to send in the clear.
  if ((cert === undefined) !== (key === undefined)) throw incorrect('--cert and --key belong together.')
  if (tls !== true && ca === undefined && cert === undefined) return undefined
  return {
    ...(ca === undefined ? {} : { ca: await readTextFile(ca) }),
    ...(cert === undefined ? {} : { cert: await readTextFile(cert) }),
    ...(key === undefined ? {} : { key: await readTextFile(key) }),
  }
}
