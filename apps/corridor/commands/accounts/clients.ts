import type { Command } from 'commander'
import { incorrect } from '../../../../packages/faults/fault.ts'
import type { Key } from '../../../../packages/config/key.ts'
import { clientFields } from '../../../../services/auth/registration/client-fields.ts'
import {
  addClient,
  changeClient,
  describeClients,
  disableClient,
  enableClient,
  renewSecret,
} from '../../../../services/auth/cli/clients.ts'
import { table } from '../../table.ts'
import { readTextFile } from '../read-file.ts'
import type { AccountCommands } from './account-command.ts'

/** `corridor clients`: the apps and services that may ask for tokens. */
export function addClientCommands(
  corridor: Command,
  { common, say, onDatabase, onFirstDatabase }: AccountCommands,
): void {
  const saySecret = (secret: string, hash: string | undefined) =>
    say(`Its secret, shown only now: ${secret}\nIts hash, for a configuration file: ${hash}`)
  const clients = corridor.command('clients').description('the apps and services that may ask for tokens')
  common(clients.command('list'))
    .description('every client')
    .action((_options, command: Command) =>
      onDatabase(command, async (deps) => {
        const rows = (await describeClients(deps)).map(({ clientId, clientName, grantTypes, status }) => [
          clientId,
          clientName ?? '',
          grantTypes.join(' '),
          status,
        ])
        say(table(['client', 'name', 'grants', 'state'], rows))
      }),
    )
  registration(common(clients.command('add')))
    .description('register a client; a secret is made and shown once where it needs one')
    .argument('<client-id>')
    .action((clientId: string, options: ClientWords, command: Command) =>
      onFirstDatabase(command, async (deps) => {
        const { secret, secretHash } = await addClient(await declaredClient(clientId, options), deps)
        say(`The client ${clientId} is registered.`)
        if (secret !== undefined) saySecret(secret, secretHash)
      }),
    )
  // Its yes before its no: else commander takes the yes for said where nothing is.
  registration(common(clients.command('change')).option('--picker', 'ask users to pick a patient for it'))
    .description('change what is said of the registration of a client that was added here; all else stays')
    .argument('<client-id>')
    .option('--no-consent', 'do not ask users what of its scopes they allow')
    .option('--no-first-party', 'its tokens open the FHIR store alone')
    .addHelpText('after', changeHelp)
    .action((clientId: string, options: ClientWords, command: Command) =>
      onDatabase(command, async (deps) => {
        const { clientId: _same, ...said } = await declaredClient(clientId, options)
        const { secret, secretHash } = await changeClient(clientId, said, deps)
        say(`The client ${clientId} is registered as said.`)
        if (secret !== undefined) saySecret(secret, secretHash)
      }),
    )
  common(clients.command('disable'))
    .description('refuse it from now on and revoke what it was granted')
    .argument('<client-id>')
    .action((clientId: string, _options, command: Command) =>
      onDatabase(command, async (deps) => {
        await disableClient(clientId, deps)
        say(`The client ${clientId} is disabled.`)
      }),
    )
  common(clients.command('enable'))
    .description('serve a declared client again that was disabled')
    .argument('<client-id>')
    .action((clientId: string, _options, command: Command) =>
      onDatabase(command, async (deps) => {
        await enableClient(clientId, deps)
        say(`The client ${clientId} is enabled.`)
      }),
    )
  common(clients.command('secret'))
    .description('make a new secret; the old one serves for another day')
    .argument('<client-id>')
    .option('--immediately', 'refuse the old one at once, for a secret that has been stolen')
    .action((clientId: string, { immediately }: { immediately?: boolean }, command: Command) =>
      onDatabase(command, async (deps) => {
        const overlap = immediately === true ? { overlapSeconds: 0 } : {}
        const { secret, secretHash } = await renewSecret({ clientId, ...overlap }, deps)
        saySecret(secret, secretHash)
      }),
    )
}

/** What the registration of a client may say. */
const registration = (command: Command): Command =>
  command
    .option('--name <text>', 'what users see')
    .option('--redirect <uri...>', 'where users are sent back to, compared letter by letter')
    .option('--launch <uri>', 'where the portal launches it')
    .option('--grant <type...>', 'authorization_code, refresh_token, client_credentials')
    .option('--auth <method...>', 'none, client_secret_basic, client_secret_post, private_key_jwt')
    .option('--jwks <file>', 'its public keys, a JWKS as JSON')
    .option('--jwks-uri <uri>', 'where its public keys are')
    .option('--scope <scopes>', 'the most that it is granted')
    .option('--role <role...>', 'roles of its own tokens (service accounts)')
    .option('--organisation <reference>', 'whose service account it is: Organization/<id>')
    .option('--first-party', 'its tokens open the consent, referral and bridge APIs')
    .option('--origin <origin...>', 'origins of its pages, beside those of its redirect addresses')
    .option('--consent', 'ask users what of its scopes they allow')
    .option('--no-picker', 'never ask users to pick a patient for it')
    .option('--access-seconds <number>', 'how long its access tokens live')
    .option('--refresh-seconds <number>', 'how long users need not sign in again for it')
    .option('--contact <text...>', 'who answers for it')
    .option('--logo <uri>', 'its picture')
    .option('--policy <uri>', 'its privacy statement, linked where users are asked')
    .option('--terms <uri>', 'its terms, linked where users are asked')

const changeHelp = `
A list replaces the list before: name all redirect addresses, scopes or keys that
shall stay. To change over to other keys, publish the new one beside the old one
first, and leave the old one out later: what it has proven ends then.`

interface ClientWords {
  readonly name?: string
  readonly redirect?: string[]
  readonly launch?: string
  readonly grant?: string[]
  readonly auth?: string[]
  readonly jwks?: string
  readonly jwksUri?: string
  readonly scope?: string
  readonly role?: string[]
  readonly organisation?: string
  readonly firstParty?: boolean
  readonly origin?: string[]
  readonly consent?: boolean
  readonly picker?: boolean
  readonly accessSeconds?: string
  readonly refreshSeconds?: string
  readonly contact?: string[]
  readonly logo?: string
  readonly policy?: string
  readonly terms?: string
}

/** Only what was said; everything else keeps the default that a configuration file would give it. */
async function declaredClient(clientId: string, words: ClientWords) {
  const said = {
    clientName: words.name,
    redirectUris: words.redirect,
    launchUri: words.launch,
    grantTypes: words.grant,
    authMethods: words.auth,
    jwks: words.jwks === undefined ? undefined : await readTextFile(words.jwks),
    jwksUri: words.jwksUri,
    scope: words.scope,
    roles: words.role,
    organisation: words.organisation,
    isFirstParty: words.firstParty,
    allowedOrigins: words.origin,
    requiresConsent: words.consent,
    patientPicker: words.picker === undefined ? undefined : words.picker ? 'auto' : 'never',
    accessTokenSeconds: secondsIn('--access-seconds', words.accessSeconds, clientFields.accessTokenSeconds),
    refreshTokenSeconds: secondsIn('--refresh-seconds', words.refreshSeconds, clientFields.refreshTokenSeconds),
    contacts: words.contact,
    logoUri: words.logo,
    policyUri: words.policy,
    tosUri: words.terms,
  }
  return { clientId, ...Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined)) }
}

/** What the field would refuse is refused by the name of its option. */
function secondsIn(option: string, word: string | undefined, field: Key<number>): number | undefined {
  if (word === undefined) return undefined
  const reading = field.read(word, 'environment')
  if ('value' in reading) return reading.value
  throw incorrect(`${option} ${reading.wrong}.`)
}
