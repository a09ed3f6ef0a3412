import { createInterface } from 'node:readline/promises'
import { Writable, type Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { incorrect } from '../../../../packages/faults/fault.ts'
import type { Terminal } from '../../terminal.ts'

/** Standard input: of a terminal, or of whatever is piped in. */
export type PasswordInput = Readable & { readonly isTTY?: boolean }

/**
 * A password that stands in no history and on no screen: typed twice and not shown, or piped in, where the end of its
 * line is none of it.
 */
export async function readPassword(input: PasswordInput, terminal: Terminal): Promise<string> {
  if (input.isTTY !== true) return (await text(input)).trimEnd()
  const [first, again] = await typed(['Password: ', 'Once more: '], input, terminal)
  if (first !== again) throw incorrect('These were two different passwords.')
  return first ?? ''
}

async function typed(prompts: readonly string[], input: PasswordInput, terminal: Terminal): Promise<string[]> {
  const left = new AbortController()
  // Editing works as everywhere; what would be shown goes nowhere.
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input, output: nowhere, terminal: true, historySize: 0 })
  // Ctrl-C and Ctrl-D.
  lines.once('close', () => left.abort())
  try {
    const answers: string[] = []
    for (const prompt of prompts) {
      const answer = lines.question('', { signal: left.signal })
      terminal.err(prompt)
      answers.push(await answer)
      terminal.err('\n')
    }
    return answers
  } catch (thrown) {
    throw left.signal.aborted ? incorrect('No password was given.', { cause: thrown }) : thrown
  } finally {
    lines.close()
  }
}
