import { totalmem } from 'node:os'
import { join } from 'node:path'
import type { Layout } from './layout.ts'
import { giveTo, type RunAs } from './run-as.ts'
import { writeDurably } from './write-durably.ts'

interface Settings {
  readonly port: number
  readonly durable: boolean
  /** How many of them Corridor itself may open; commands, backups and an operator's tools come on top. */
  readonly poolMax?: number | undefined
}

export async function writeSettings(layout: Layout, runAs: RunAs, settings: Settings): Promise<void> {
  const path = join(layout.cluster, 'postgresql.conf')
  await writeDurably(path, settingsFile(settings), 0o600)
  await giveTo(path, runAs)
}

/**
 * The whole postgresql.conf, written anew at every start: the cluster is Corridor's own, and an operator who wants
 * other settings wants a server of their own (`database.url`).
 */
export function settingsFile(options: Settings): string {
  const settings = {
    ...connections(options),
    ...sizes,
    ...logging,
    ...(options.durable ? durable : throwaway),
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'`)
  return `# Written by Corridor at every start; changes here are lost.\n${lines.join('\n')}\n`
}

/** Loopback only, and no unix socket: a deep data directory exceeds the length that a socket's path may have. */
const connections = ({ port, poolMax = 0 }: Settings) => ({
  listen_addresses: '127.0.0.1',
  port,
  unix_socket_directories: '',
  max_connections: connectionsFor(poolMax),
  password_encryption: 'scram-sha-256',
  // Stretching slows down whoever tries out words. Our passwords are 256 random bits, and every connection would pay for it.
  scram_iterations: 1,
  // Otherwise ALTER SYSTEM could switch durability off behind this file.
  allow_alter_system: 'off',
  timezone: 'UTC',
})

/** How many connections the server has room for where Corridor may open so many. */
export const connectionsFor = (poolMax: number): number => Math.max(60, poolMax + othersMax)

const othersMax = 40

const sizes = {
  shared_buffers: sharedBuffers(Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)),
  max_wal_size: '2GB',
  checkpoint_timeout: '15min',
  autovacuum_naptime: '15s',
  jit: 'off',
}

/**
 * An eighth of the memory that this machine or container has. A record of a million resources is some gigabytes, and a
 * page that is not here is a system call. It is taken only as it is filled.
 */
export function sharedBuffers(memoryBytes: number): string {
  const megabytes = Math.floor(memoryBytes / 8 / 1024 / 1024)
  return `${Math.min(Math.max(megabytes, 128), 2_048)}MB`
}

/**
 * Standard error is a file (see start.ts). Errors of statements go to the client that caused them and are kept out of
 * the file, as are details: both quote values of rows, which are patients' data.
 */
const logging = {
  logging_collector: 'off',
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
  log_timezone: 'UTC',
}

/** The defaults, written out because the promise to senders rests on them: acknowledged is on disk. */
const durable = {
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
}

/** For tests only: what was committed survives the server's death, but not the machine's. */
const throwaway = {
  fsync: 'off',
  synchronous_commit: 'on',
  full_page_writes: 'off',
  shared_buffers: '256MB',
  max_connections: 300,
  autovacuum: 'off',
  wal_level: 'minimal',
  max_wal_senders: 0,
}
