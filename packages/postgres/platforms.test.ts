import { describe, expect, it } from 'vitest'
import { stateOfProc, stateOfPs, stateOfTasklist } from './process-state.ts'
import { parsePostmasterPid } from './postmaster-pid.ts'
import { chooseUser } from './run-as.ts'
import { settingsFile, sharedBuffers } from './settings.ts'
import { pgCtlKill } from './signals.ts'
import { startCommand } from './start-command.ts'

describe('the user that PostgreSQL runs as under root', () => {
  const root = 'root:x:0:0:root:/root:/bin/bash'
  const nobody = 'nobody:x:65534:65533:nobody:/nonexistent:/usr/sbin/nologin'
  const postgres = 'postgres:x:101:104:PostgreSQL administrator,,,:/var/lib/postgresql:/bin/bash'

  it.each([
    ['postgres where it exists', [root, nobody, postgres], { uid: 101, gid: 104 }],
    ['else nobody', [root, nobody], { uid: 65_534, gid: 65_533 }],
    [
      'nobody of macOS',
      ['nobody:*:-2:-2:Unprivileged User:/var/empty:/usr/bin/false'],
      { uid: 4_294_967_294, gid: 4_294_967_294 },
    ],
    ['never root under another name', [root, 'postgres:x:0:0::/:/bin/sh', nobody], { uid: 65_534, gid: 65_533 }],
    ['none where there is none', [root], undefined],
  ])('is %s', (_case, lines, expected) => {
    expect(chooseUser(lines.join('\n'))).toEqual(expected)
  })
})

describe('postmaster.pid', () => {
  it.each([
    ['4242\n/data\n1700000000\n5432\n\n127.0.0.1\n 1 1\nready   \n', { pid: 4242, port: 5432, isReady: true }],
    ['4242\n/data\n1700000000\n5432\n\n127.0.0.1\n 1 1\nstarting\n', { pid: 4242, port: 5432, isReady: false }],
    ['4242\n', { pid: 4242, port: undefined, isReady: false }],
    ['', undefined],
    ['-1\n', undefined],
    ['0\n', undefined],
    ['12x\n', undefined],
  ])('%j is read as %j', (text, expected) => {
    expect(parsePostmasterPid(text)).toEqual(expected)
  })
})

describe('where the system shows no folders of processes', () => {
  it.each([
    ['Ss   /opt/native/bin/postgres\n', 'postgres'],
    ['Z    postgres\n', 'gone'],
    ['S    /usr/bin/vim\n', 'foreign'],
    ['', 'gone'],
  ] as const)('ps answers %j: %s', (output, state) => {
    expect(stateOfPs(output)).toBe(state)
  })

  it.each([
    ['"postgres.exe","4242","Console","1","12,000 K"\r\n', 'postgres'],
    ['"notepad.exe","4242","Console","1","12,000 K"\r\n', 'foreign'],
    ['INFO: No tasks are running which match the specified criteria.\r\n', 'gone'],
  ] as const)('tasklist answers %j: %s', (output, state) => {
    expect(stateOfTasklist(output)).toBe(state)
  })
})

describe('on Linux', () => {
  const server = '/native/bin/postgres\0-D\0/data/postgres\0'

  it.each([
    ['a server on the cluster', server, '/data/postgres', 'postgres'],
    ['a server on another one', server, '/elsewhere', 'foreign'],
    ['a server whose folder we may not see', server, undefined, 'postgres'],
    ['another program whose folder we may not see', '/usr/bin/vim\0', undefined, 'foreign'],
  ] as const)('%s is told by its command and its folder', (_which, command, folder, state) => {
    expect(stateOfProc(command, folder, '/data/postgres')).toBe(state)
  })
})

describe('on Windows', () => {
  const binaries = { folder: '/native/bin', major: '18' }

  it('pg_ctl starts the server, because it gives up the rights of an administrator', () => {
    expect(startCommand('win32', binaries, '/data/postgres')).toEqual({
      file: '/native/bin/pg_ctl',
      args: ['start', '--wait', '-D', '/data/postgres'],
      isServer: false,
    })
    expect(startCommand('linux', binaries, '/data/postgres')).toMatchObject({
      file: '/native/bin/postgres',
      isServer: true,
    })
  })

  it('pg_ctl sends the signals that Windows does not have', () => {
    expect(pgCtlKill('win32', 42, 'SIGINT')).toEqual(['kill', 'INT', '42'])
    expect(pgCtlKill('win32', 42, 'SIGKILL')).toBeUndefined()
    expect(pgCtlKill('linux', 42, 'SIGINT')).toBeUndefined()
  })
})

describe('the settings', () => {
  it('force everything to disk unless the data is thrown away', () => {
    expect(settingsFile({ port: 1, durable: true })).toMatch(
      /^fsync = 'on'\nsynchronous_commit = 'on'\nfull_page_writes = 'on'$/m,
    )
    expect(settingsFile({ port: 1, durable: false })).toMatch(/^fsync = 'off'$/m)
  })

  it.each([
    [undefined, 60],
    [20, 60],
    [1_000, 1_040],
  ])('leave room for the %s connections of a pool, and for others', (poolMax, connections) => {
    expect(settingsFile({ port: 1, durable: true, poolMax })).toContain(`max_connections = '${connections}'\n`)
  })

  it.each([
    [512, '128MB'],
    [8_192, '1024MB'],
    [65_536, '2048MB'],
  ])('keep in memory what a machine of %i MB can spare', (megabytes, buffers) => {
    expect(sharedBuffers(megabytes * 1024 * 1024)).toBe(buffers)
  })
})
