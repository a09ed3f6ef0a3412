import { assert } from '../../packages/faults/fault.ts'
import { defineService } from '../../packages/service/service.ts'
import { keySet } from './routes/key-set.ts'

export const authService = defineService({
  name: 'auth',
  title: 'Authorization server',
  purpose: 'Signs people, apps and services in and gives them SMART tokens; holds the clinician portal.',
  build: async (_section: unknown, { signingKeys, addresses }) => {
    assert(signingKeys !== undefined, 'the authorization server was started without its keys')
    return {
      routes: [keySet],
      deps: { signingKeys },
      tryFirst: [
        {
          title: 'Look at the public keys',
          text: 'Every token is checked with one of them.',
          command: `curl ${addresses['auth']}/oauth2/jwks`,
        },
      ],
    }
  },
})
