import { incorrect } from '../../packages/faults/fault.ts'
import { isLoopbackHost } from '../../packages/http/request.ts'
import type { LoadedConfiguration } from './configuration.ts'
import { calledAs } from './run/called-as.ts'
import type { ServiceName } from './service-names.ts'
import { weakSecrets } from './weak-secrets.ts'

/**
 * Everything that the chosen mode does not allow, said at once, before anything is touched. Secrets are judged of the
 * services that are to run: the command that makes a better one must not be refused for it.
 */
export function checkMode(loaded: LoadedConfiguration, running: readonly ServiceName[] = []): void {
  const { configuration, sourceOf } = loaded
  const isProduction = configuration.mode === 'production'
  const wrong = isProduction
    ? [...productionFaults(configuration, sourceOf), ...weakSecrets(configuration, running)]
    : demoFaults(configuration)
  if (wrong.length === 0) return
  const opening = isProduction ? 'Production mode is not set up yet.' : 'Demo mode cannot be used like this.'
  const lines = [opening, ...wrong.map((line) => `  ${line}`)]
  if (isProduction && sourceOf('mode') === 'default') lines.push(forNewcomers())
  throw incorrect(lines.join('\n'), { code: 'MODE_REFUSED' })
}

/** Nobody has asked for production: perhaps somebody only wants to see what this is. */
const forNewcomers = () =>
  `For a first look, with demo data and nothing to set up: ${calledAs()} start --demo. Other commands take --demo, too.`

type Configuration = LoadedConfiguration['configuration']

function productionFaults(configuration: Configuration, sourceOf: (path: string) => string): string[] {
  const wrong: string[] = []
  if (configuration.database.url === undefined) {
    wrong.push(
      'database.url is missing: name your PostgreSQL with CORRIDOR_DATABASE_URL or CORRIDOR_DATABASE_URL_FILE.',
    )
  } else if (hasDemoPassword(configuration.database.url)) {
    wrong.push('database.url uses a demo password: give the database user a password of its own.')
  }
  if (sourceOf('auth.keyDirectory') === 'default') {
    wrong.push(
      'auth.keyDirectory is missing: name the folder of the signing keys with CORRIDOR_AUTH_KEY_DIRECTORY and back it up.',
    )
  }
  return [...wrong, ...readableOrigins(configuration.fhir.allowedOrigins)]
}

/** As of redirect addresses: whoever is on the way can put words of their own into such a page, and it holds tokens. */
function readableOrigins(origins: readonly string[]): string[] {
  return origins
    .filter((origin) => origin.startsWith('http:') && !isLoopbackHost(new URL(origin).hostname))
    .map((origin) => `fhir.allowedOrigins names ${origin}: it must be https; http is for localhost only.`)
}

function demoFaults({ listen, bridge }: Configuration): string[] {
  const open = openHosts('listen.hosts', listen.hosts)
  // Unless somebody names them they are the same, and once is enough.
  const isFollowing = String(bridge.mllpHosts) === String(listen.hosts)
  return isFollowing ? open : [...open, ...openHosts('bridge.mllpHosts', bridge.mllpHosts)]
}

function openHosts(path: string, hosts: readonly string[]): string[] {
  const open = hosts.filter((host) => !isLoopbackHost(host))
  if (open.length === 0) return []
  return [
    `${path} names ${open.join(', ')}: demo accounts have known passwords, so demo mode listens on loopback only. Use mode: production.`,
  ]
}

function hasDemoPassword(url: string): boolean {
  return URL.canParse(url) && ['demo', 'postgres', 'password', 'corridor'].includes(new URL(url).password)
}
