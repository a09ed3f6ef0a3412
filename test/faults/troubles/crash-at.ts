// Loaded into a Corridor before everything else (`node --import`): kills the process at one exact moment of its work.
//   boundary stored 7             when a message passes this boundary of the bridge, the seventh time
//   request POST /oauth2/token    when such a request comes in
//   answer POST /oauth2/token     when it is done and nobody has heard of it yet
// The moment is in CORRIDOR_TEST_CRASH from the start, or in the file CORRIDOR_TEST_CRASH_FILE when SIGUSR2 comes.
import { subscribe } from 'node:diagnostics_channel'
import { readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { flushCompileCache } from 'node:module'
import { boundaryChannel } from '../../../services/bridge/pipeline/boundaries.ts'

const { CORRIDOR_TEST_CRASH: fromTheStart, CORRIDOR_TEST_CRASH_FILE: file = '' } = process.env
if (fromTheStart !== undefined) arm(fromTheStart)
process.on('SIGUSR2', () => arm(readFileSync(file, 'utf8')))

function arm(text: string): void {
  const [moment = '', ...words] = text.split(' ')
  const isWanted = ({ method = '', url = '' }: Asked) =>
    new RegExp(`^${words.join(' ')}(\\?|$)`).test(`${method} ${url}`)
  if (moment === 'boundary') {
    const [wanted, times = '1'] = words
    let passed = 0
    subscribe(boundaryChannel, (boundary) => {
      if (boundary === wanted && ++passed === Number(times)) crash()
    })
  }
  if (moment === 'request') {
    subscribe('http.server.request.start', (event) => {
      if (isWanted((event as { readonly request: Asked }).request)) crash()
    })
  }
  if (moment === 'answer') {
    subscribe('http.server.response.created', (event) => {
      const { request, response } = event as { readonly request: Asked; readonly response: ServerResponse }
      // Whatever was to be committed is committed: a service answers after that, never before.
      if (isWanted(request)) response.writeHead = crash
    })
  }
}

interface Asked {
  readonly method?: string | undefined
  readonly url?: string | undefined
}

/** The whole group: nothing of it may go on. What it has compiled the next one need not, and nothing runs meanwhile. */
function crash(): never {
  flushCompileCache()
  process.kill(0, 'SIGKILL')
  throw new Error('the process lives on after its kill')
}
