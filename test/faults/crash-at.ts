// Loaded into a Corridor before everything else (`node --import`). On SIGUSR2 it reads CORRIDOR_TEST_CRASH_FILE and
// from then on kills the process at one exact moment of its work:
//   boundary stored               after a stage of the bridge
//   request POST /oauth2/token    when such a request comes in
//   answer POST /oauth2/token     when it is done and nobody has heard of it yet
import { subscribe } from 'node:diagnostics_channel'
import { readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { boundaryChannel } from '../../services/bridge/durable/boundaries.ts'

process.on('SIGUSR2', () => {
  const [moment = '', ...words] = readFileSync(process.env['CORRIDOR_TEST_CRASH_FILE'] ?? '', 'utf8').split(' ')
  arm(moment, words.join(' '))
})

function arm(moment: string, wanted: string): void {
  const isWanted = ({ method = '', url = '' }: Asked) => new RegExp(`^${wanted}(\\?|$)`).test(`${method} ${url}`)
  if (moment === 'boundary') {
    subscribe(boundaryChannel, (boundary) => {
      if (boundary === wanted) crash()
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

/** The whole group: nothing of it may go on. */
function crash(): never {
  process.kill(-process.pid, 'SIGKILL')
  throw new Error('the process lives on after its kill')
}
