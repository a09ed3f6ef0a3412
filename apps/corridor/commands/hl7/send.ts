import { systemClock } from '../../../../packages/clock/clock.ts'
import { faultOf } from '../../../../packages/faults/fault.ts'
import {
  acknowledgementMode,
  connectMllp,
  readAcknowledgement,
  tryParseMessage,
  type Acknowledgement,
  type ClientTls,
} from '../../../../packages/hl7/index.ts'
import type { Terminal } from '../../terminal.ts'
import { type Colour, paint } from './paint.ts'
import type { FileMessage } from './read-messages.ts'

interface SendOptions {
  readonly host: string
  readonly port: number
  readonly tls?: ClientTls
  readonly timeoutMs: number
}

/** `corridor hl7 send`: sends each message and shows its answer. 1 when one was not accepted, or not answered. */
export async function send(
  messages: readonly FileMessage[],
  options: SendOptions,
  terminal: Terminal,
): Promise<number> {
  const { host, port, tls, timeoutMs } = options
  const client = await connectMllp(
    { host, port, ...(tls === undefined ? {} : { tls }), connectTimeoutMs: timeoutMs, answerTimeoutMs: timeoutMs },
    { clock: systemClock },
  )
  const count = { sent: 0, accepted: 0 }
  try {
    for (const message of messages) {
      const answer = tryParseMessage(await client.send(message.bytes)).message
      const said = answer === undefined ? undefined : readAcknowledgement(answer)
      count.sent++
      if (said?.code === 'AA' || said?.code === 'CA') count.accepted++
      report(message, said, count.sent, messages.length, terminal)
    }
  } catch (thrown) {
    terminal.err(`${faultOf(thrown).shown} ${count.sent} of ${messages.length} messages were answered.\n`)
    if (isSilenced(messages[count.sent])) terminal.err(silenced)
    else if (count.sent === 0) terminal.err(tls === undefined ? wantsTls : hintOn(tls))
    return 1
  } finally {
    await client.close()
  }
  terminal.out(`${count.accepted} of ${messages.length} messages were accepted.\n`)
  return count.accepted === messages.length ? 0 : 1
}

/** Of many messages only those are shown that were not simply accepted, and how far it is. */
function report(
  { name, parsed }: FileMessage,
  said: Acknowledgement | undefined,
  index: number,
  total: number,
  terminal: Terminal,
): void {
  const isMany = total > linesMax
  const isPlain = said?.code === 'AA' && said.text === undefined
  if (isMany && terminal.isInteractive) terminal.err(`\r${index} of ${total} ${index === total ? '\n' : ''}`)
  if (isMany && isPlain) return
  const type =
    parsed.message === undefined
      ? ''
      : `${parsed.message.getText('MSH-9.1')}^${parsed.message.getText('MSH-9.2') ?? ''}`
  const controlId = parsed.message?.getText('MSH-10') ?? ''
  const code = said?.code ?? '??'
  const text =
    said === undefined
      ? 'the answer is not an acknowledgement'
      : [said.text, ...errorsOf(said), said.code === 'CA' && receivedOnly].filter(Boolean).join('; ')
  terminal.out(
    `${paint(terminal)(colourOf(code), code)}  ${[type, controlId, name].filter(Boolean).join('  ')}${text === '' ? '' : `  ${text}`}\n`,
  )
}

/** Whether a message asks to be answered in some cases only, or in none. */
function isSilenced(message: FileMessage | undefined): boolean {
  if (message?.parsed.message === undefined) return false
  const { accept, application } = acknowledgementMode(message.parsed.message)
  return accept !== 'AL' && application !== 'AL'
}

const silenced =
  'By its MSH-15 and MSH-16 it wants no answer, or not in every case: the log of the receiver has what became of it.\n'

/** The second answer may come by another connection, or not at all. */
const receivedOnly = 'only received so far: what becomes of it is in the log of the receiver'

const wantsTls = 'Does the receiver want TLS? Then add --tls. Does it take messages from this address?\n'
const wantsCertificate = 'Does the receiver want a certificate? Then add --cert and --key.\n'
const wantsAnotherCertificate = 'Does the receiver know who signed the certificate of --cert? Its log says why not.\n'
const hintOn = ({ cert }: ClientTls): string => (cert === undefined ? wantsCertificate : wantsAnotherCertificate)

const linesMax = 50

/** What MSA-3 has said already is not said again. */
const errorsOf = ({ errors, text: said }: Acknowledgement): string[] =>
  errors.map(({ code, applicationCode, place, text }) =>
    [code, applicationCode, place && `at ${place}`, text !== said && text].filter(Boolean).join(' '),
  )

function colourOf(code: string): Colour {
  if (code === 'AA' || code === 'CA') return 'green'
  return code === 'AE' || code === 'CE' ? 'yellow' : 'red'
}
