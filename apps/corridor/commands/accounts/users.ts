import type { Command } from 'commander'
import {
  addUser,
  changeUser,
  describeUsers,
  disableUser,
  endLogins,
  enableUser,
  hashPassword,
  renewTotp,
  resetPassword,
  takeTotpAway,
} from '../../../../services/auth/cli/users.ts'
import { table } from '../../table.ts'
import type { Terminal } from '../../terminal.ts'
import type { AccountCommands } from './account-command.ts'
import { readPassword, type PasswordInput } from './read-password.ts'

interface UserCommandDeps extends AccountCommands {
  readonly terminal: Terminal
  readonly input: PasswordInput
}

/** `corridor users`: the people who may sign in. */
export function addUserCommands(corridor: Command, kit: UserCommandDeps): void {
  const users = corridor.command('users').description('the people who may sign in')
  for (const offer of commands) offer(users, kit)
}

/** In the order in which the help names them. */
const commands = [
  offerList,
  offerAdd,
  offerChange,
  offerDisable,
  offerEnable,
  offerResetPassword,
  offerEndLogins,
  offerHashPassword,
  offerTotp,
] as const

function offerList(users: Command, { common, say, onDatabase }: UserCommandDeps): void {
  common(users.command('list'))
    .description('every user')
    .action((_options, command: Command) =>
      onDatabase(command, async (deps) => {
        const rows = (await describeUsers(deps)).map(({ username, fhirUser, roles, status }) => [
          username,
          fhirUser,
          roles.join(' '),
          status,
        ])
        say(table(['user', 'is', 'roles', 'state'], rows))
      }),
    )
}

function offerAdd(users: Command, kit: UserCommandDeps): void {
  const { common, say, onFirstDatabase } = kit
  common(users.command('add'))
    .description('add a user; a password is made and shown once')
    .argument('<name>')
    .requiredOption('--is <reference>', 'needed: the person in the FHIR store, Practitioner/<id> or Patient/<id>')
    .requiredOption('--role <role...>', 'needed: CLINICIAN, ADMIN, PATIENT')
    .option('--organisation <reference>', 'Organization/<id>')
    .option('--display-name <text>', 'what pages call them; otherwise the name of the account')
    .option('--totp', 'ask for a code of an authenticator app too')
    .action((username: string, options: UserWords, command: Command) =>
      onFirstDatabase(command, async (deps) => {
        const { is, role, organisation, displayName, totp } = options
        const made = await addUser(
          {
            username,
            fhirUser: is,
            roles: role,
            ...(organisation === undefined ? {} : { organisation }),
            ...(displayName === undefined ? {} : { displayName }),
            ...(totp === undefined ? {} : { totp }),
          },
          deps,
        )
        say(`The user ${username} is added. The password, shown only now: ${made.password}`)
        if (made.totpAddress !== undefined) sayTotp(made.totpAddress, command, kit)
      }),
    )
}

function offerChange(users: Command, { common, say, onDatabase }: UserCommandDeps): void {
  common(users.command('change'))
    .description('change what is said of a user who was added here; all else stays, the password too')
    .argument('<name>')
    .option('--role <role...>', 'all that they have from now on: CLINICIAN, ADMIN, PATIENT')
    .option('--organisation <reference>', 'Organization/<id>')
    .option('--no-organisation', 'they work nowhere any more')
    .option('--display-name <text>', 'what pages call them')
    .action((username: string, options: ChangeWords, command: Command) =>
      onDatabase(command, async (deps) => {
        const { role, organisation, displayName } = options
        await changeUser(
          username,
          {
            ...(role === undefined ? {} : { roles: role }),
            ...(organisation === undefined ? {} : { organisation: organisation === false ? null : organisation }),
            ...(displayName === undefined ? {} : { displayName }),
          },
          deps,
        )
        say(`The user ${username} is registered as said.`)
      }),
    )
}

function offerDisable(users: Command, { common, say, onDatabase }: UserCommandDeps): void {
  common(users.command('disable'))
    .description('sign the user out everywhere, until they are added again; who is declared, until they are enabled')
    .argument('<name>')
    .action((username: string, _options, command: Command) =>
      onDatabase(command, async (deps) => {
        await disableUser(username, deps)
        say(`The user ${username} is disabled.`)
      }),
    )
}

function offerEnable(users: Command, { common, say, onDatabase }: UserCommandDeps): void {
  common(users.command('enable'))
    .description('let a declared user in again who was disabled')
    .argument('<name>')
    .action((username: string, _options, command: Command) =>
      onDatabase(command, async (deps) => {
        await enableUser(username, deps)
        say(`The user ${username} is enabled.`)
      }),
    )
}

function offerResetPassword(users: Command, { common, say, onDatabase }: UserCommandDeps): void {
  common(users.command('reset-password'))
    .description('make a new password and end every login')
    .argument('<name>')
    .option('--everywhere', 'also revoke apps with offline access')
    .action((username: string, options: { everywhere?: boolean }, command: Command) =>
      onDatabase(command, async (deps) => {
        const { password } = await resetPassword({ username, ...options }, deps)
        say(`The password, shown only now: ${password}`)
      }),
    )
}

function offerEndLogins(users: Command, { common, say, onDatabase }: UserCommandDeps): void {
  common(users.command('end-logins'))
    .description('sign everybody out and end what apps were granted, as after a restore')
    .addHelpText('after', endLoginsHelp)
    .action((_options, command: Command) =>
      onDatabase(command, async (deps) => {
        const { logins, grants } = await endLogins(deps)
        say(`${logins} logins and the access of apps ${grants} times are ended. Everybody signs in again.`)
      }),
    )
}

function offerHashPassword(users: Command, { say, terminal, input }: UserCommandDeps): void {
  users
    .command('hash-password')
    .description(
      'print the passwordHash of a user in the configuration; the password is asked for, or read from a pipe',
    )
    .action(async () => say(await hashPassword(await readPassword(input, terminal))))
}

function offerTotp(users: Command, kit: UserCommandDeps): void {
  const { common, say, onDatabase } = kit
  common(users.command('totp'))
    .description('give the user a new secret for an authenticator app and end every login')
    .argument('<name>')
    .option('--off', 'ask them for no codes any more')
    .action((username: string, { off }: { off?: boolean }, command: Command) =>
      onDatabase(command, async (deps) => {
        if (off !== true) return sayTotp((await renewTotp(username, deps)).totpAddress, command, kit)
        await takeTotpAway(username, deps)
        return say(`The user ${username} signs in without a code.`)
      }),
    )
}

function sayTotp(address: string, command: Command, { say, configurationOf }: UserCommandDeps): void {
  say(`For the authenticator app: ${address}`)
  if (!configurationOf(command).auth.totp)
    say('The login page does not ask for codes yet, so this user cannot sign in: set auth.totp to true.')
}

const endLoginsHelp = `
Access tokens that the database does not know of, those that were made after the
moment it was restored to, end with the key that signed them:
  corridor keys rotate --immediately
  corridor keys remove <key>      the old one`

interface UserWords {
  readonly is: string
  readonly role: string[]
  readonly organisation?: string
  readonly displayName?: string
  readonly totp?: boolean
}

interface ChangeWords {
  readonly role?: string[]
  readonly organisation?: string | false
  readonly displayName?: string
}
