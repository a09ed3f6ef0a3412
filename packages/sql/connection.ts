import { Socket, type LookupFunction } from 'node:net'
import { Client, types, type ClientConfig } from 'pg'
import { incorrect, unavailable, type Fault } from '../faults/fault.ts'
import { errorCode } from '../files/error-code.ts'
import { lastKnownLookup } from '../names/last-known-lookup.ts'
import { reasonOf } from './database-fault.ts'
import { sessionSettings, startupOptions, usualTimeoutMs, type SessionOptions } from './session-settings.ts'
import { sqlErrorOf } from './sql-error.ts'

export interface ConnectionOptions extends SessionOptions {
  readonly url: string
  /** What `pg_stat_activity` shows for these sessions. */
  readonly applicationName?: string
  /** How long to wait for a connection: to be made, or to become free. Without it the address says it, else 5 s. */
  readonly connectTimeoutMs?: number
  /** How the database's name is found: one that remembers its last address, for all connections that share it. */
  readonly lookup?: LookupFunction
}

/** The driver's settings, the same for pools and migrations. */
export function connectionConfig(options: ConnectionOptions): ClientConfig {
  const { url, statementTimeoutMs = usualTimeoutMs } = options
  assertAddress(url)
  const settings = sessionSettings(options)
  const { address, theirs } = withoutOptions(forDriver(url), settings)
  return {
    connectionString: address,
    application_name: options.applicationName ?? 'corridor',
    connectionTimeoutMillis: options.connectTimeoutMs ?? connectTimeoutOf(url) ?? 5_000,
    // The server's limit comes first; this one is for a server or a network that went silent.
    ...(statementTimeoutMs === 0 ? {} : { query_timeout: Math.min(statementTimeoutMs + 5_000, longestTimerMs) }),
    keepAlive: true,
    // One that only listens has no statement that could time out: by the system's own two hours, a firewall that forgot it
    // or a database that moved would be found out that late.
    keepAliveInitialDelayMillis: 30_000,
    // Ours are the last: of two the last one counts.
    options: [...theirs, startupOptions(settings)].join(' '),
    types: { getTypeParser },
    stream: namedSockets(options.lookup ?? lastKnownLookup()),
  }
}

/** What the driver connects itself, by `connect(port, host)` or, of a Unix socket, `connect(path)`. */
function namedSockets(lookup: LookupFunction): () => Socket {
  return () => {
    const socket = new Socket()
    const connect = socket.connect.bind(socket)
    return Object.assign(socket, {
      connect: (place: number | string, host?: string) =>
        typeof place === 'number' && host !== undefined
          ? connect({ port: place, host, lookup })
          : connect(String(place)),
    })
  }
}

/** Seconds in the address, as every program of PostgreSQL takes them there; 0 waits for ever, as it does there. */
function connectTimeoutOf(url: string): number | undefined {
  const written = /[?&]connect_timeout=([^&#]*)/.exec(url)?.[1]
  if (written === undefined) return undefined
  if (!/^\d{1,9}$/.test(written)) {
    throw incorrect('connect_timeout in database.url is not a number of seconds. Write ?connect_timeout=10.', {
      code: 'DATABASE_URL',
    })
  }
  return Math.min(Number(written) * 1_000, longestTimerMs)
}

/** A timer that is set for longer fires at once. */
const longestTimerMs = 2_147_483_647

/**
 * The driver reads these three as `verify-full`, too, and says at length, with every command, that a version to come will
 * not. Who asks it for the meaning that they have elsewhere gets that.
 */
const forDriver = (url: string): string =>
  /[?&]uselibpqcompat=true(?=&|$)/.test(url)
    ? url
    : url.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, '$1verify-full')

/** The driver would take the options of the address, which Neon wants there, in the place of ours, and what it names itself before them. */
function withoutOptions(
  url: string,
  ours: ReadonlyMap<string, string>,
): { readonly address: string; readonly theirs: readonly string[] } {
  const [address = '', query] = url.split(/\?(.*)/s)
  const parts = query?.split('&') ?? []
  const nameOf = (part: string) => part.split('=', 1)[0] ?? ''
  const theirs = new URLSearchParams(query).getAll('options')
  const others = parts.filter((part) => nameOf(part) !== 'options' && !ours.has(nameOf(part)))
  return { address: others.length === 0 ? address : `${address}?${others.join('&')}`, theirs }
}

/** Says, to whoever set the address, why no connection could be made. The password is no part of it. */
export function cannotConnect(url: string, thrown: unknown): Fault {
  const { host, port, database, user } = new Client({ connectionString: forDriver(url) })
  const place = `The database at ${host}:${port}`
  const details = { code: 'DATABASE_UNAVAILABLE', retryAfterSeconds: 1 }
  if (wantsPassword(thrown)) {
    return unavailable(`${place} wants a password of user ${user}, and database.url has none. Write it there.`, details)
  }
  if (isOfUnknownAuthority(thrown)) {
    return unavailable(
      `${place} shows a certificate of an authority that is not known here. Name the file of that authority in database.url: ?sslmode=verify-full&sslrootcert=<file>.`,
      details,
    )
  }
  switch (sqlErrorOf(thrown)?.sqlState ?? '') {
    case '28000':
      // Who may come from where, as whom and by TLS or not: it blames no password, and the password is not in it.
      return unavailable(
        `${place} does not let user ${user} in (${reasonOf(thrown)}). If it lacks encryption, write ?sslmode=verify-full into database.url; else correct the user there, or pg_hba.conf of the server.`,
        details,
      )
    case '28P01':
      return unavailable(`${place} refused user ${user}. Correct the user and password in database.url.`, details)
    case '3D000':
      return unavailable(
        `${place} has no database named ${database}. Create it or correct the name in database.url.`,
        details,
      )
    case '53300':
      return unavailable(
        `${place} has no connection left. Raise its max_connections or lower database.poolMax.`,
        details,
      )
    case '08P01':
      // As PgBouncer answers; whoever only reads that it cannot be reached looks for a server that is down.
      return unavailable(
        `${place} refuses what a session is told (${reasonOf(thrown)}). If a pooler stands before it, name PostgreSQL itself in database.url, or let the pooler pass \`options\` on.`,
        details,
      )
    case '57P03':
      return unavailable(`${place} is still starting. Wait a moment and try again.`, details)
    default:
      return unavailable(`${place} cannot be reached (${reasonOf(thrown)}). Start it or correct database.url.`, details)
  }
}

/** Also one that signed itself. Node's own words advise options of Node. */
const isOfUnknownAuthority = (thrown: unknown) =>
  /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_GET_ISSUER_CERT(_LOCALLY)?|UNABLE_TO_VERIFY_LEAF_SIGNATURE)$/.test(
    errorCode(thrown) ?? '',
  )

/** The driver finds that out by itself, and says it in words of the protocol. */
const wantsPassword = (thrown: unknown) =>
  thrown instanceof Error && /client password must be a (?:non-empty )?string/.test(thrown.message)

/** The host to which statements and rows go over a network as they are; undefined where TLS, or no network, is between. */
export function hostWithoutTls(url: string): string | undefined {
  assertAddress(url)
  const { host, ssl } = new Client({ connectionString: forDriver(url) })
  // A folder is that of a Unix socket.
  return ssl || host.startsWith('/') ? undefined : host
}

function assertAddress(url: string): void {
  try {
    if (!/^postgres(ql)?:\/\//.test(url)) throw new TypeError('not a PostgreSQL address')
    void new Client({ connectionString: forDriver(url) })
  } catch (thrown) {
    const file = unreadFileOf(thrown)
    if (file !== undefined) throw file
    // What could not be read may hold a password, so it is not repeated here.
    throw incorrect(
      'database.url is not a PostgreSQL address. Write it as postgres://user:password@host:5432/name; in the password ' +
        'write %23 for #, %2F for /, %3F for ?, %40 for @ and %25 for %.',
      { code: 'DATABASE_URL' },
    )
  }
}

/** The driver reads what `sslrootcert`, `sslcert` and `sslkey` name while it reads the address. */
function unreadFileOf(thrown: unknown): Fault | undefined {
  const { path, code }: Partial<NodeJS.ErrnoException> = thrown instanceof Error ? thrown : {}
  if (path === undefined) return undefined
  return incorrect(
    `The file ${path}, which database.url names, cannot be read (${code}). Check its path and permissions.`,
    { code: 'DATABASE_URL' },
  )
}

const oid = { date: 1082, timestamp: 1114, dates: 1182, timestamps: 1115, texts: 1009 }

/**
 * A date without time stays the text it is: as a Date it would move by a day in half of the world's time zones. The
 * driver's other ways stay: bigint and numeric are text, timestamptz is a Date, jsonb is parsed. Given to each client,
 * because the driver's own table is shared by the whole process.
 */
function getTypeParser(id: number, format?: 'text' | 'binary'): unknown {
  if (format !== 'binary' && (id === oid.date || id === oid.timestamp)) return (text: string) => text
  if (format !== 'binary' && (id === oid.dates || id === oid.timestamps)) return types.getTypeParser(oid.texts)
  return types.getTypeParser(id, format)
}
