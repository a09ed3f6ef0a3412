import { openJson } from '../../../packages/http/content.ts'
import { missing } from '../../../packages/faults/fault.ts'
import { text } from '../../../packages/http/fields.ts'
import { routeFor } from '../../../packages/http/route.ts'
import { anyone } from '../../../packages/http/who.ts'
import type { AuthDeps } from '../deps.ts'
import { openidConfiguration } from '../discovery/openid-configuration.ts'
import { smartConfiguration } from '../discovery/smart-configuration.ts'
import { styleDocument } from '../discovery/style-document.ts'

const route = routeFor<AuthDeps>()

const open = {
  method: 'GET',
  who: anyone,
  tags: ['Discovery'],
  output: { 200: openJson() },
  cors: 'anyone',
  cache: 'public, max-age=300',
} as const

export const smartConfigurationRoute = route({
  ...open,
  path: '/.well-known/smart-configuration',
  summary: 'What a SMART app reads first',
  run: (_input, { settings }) => smartConfiguration(settings),
})

export const openidConfigurationRoute = route({
  ...open,
  path: '/.well-known/openid-configuration',
  summary: 'The same for OpenID Connect clients',
  run: (_input, { settings }) => openidConfiguration(settings),
})

export const oauthConfigurationRoute = route({
  ...open,
  path: '/.well-known/oauth-authorization-server',
  summary: 'That for clients that know OAuth alone (RFC 8414)',
  run: (_input, { settings }) => openidConfiguration(settings),
})

export const styleRoute = route({
  ...open,
  path: '/smart-style/:name',
  summary: 'Colours and fonts that apps may take on',
  cache: 'public, max-age=31536000, immutable',
  input: { params: { name: text({ max: 64 }) } },
  run: ({ params }) => {
    if (params.name !== `${styleDocument.version}.json`) throw missing('There is nothing at this address.')
    return styleDocument.style
  },
})
