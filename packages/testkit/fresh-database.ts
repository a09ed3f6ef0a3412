import { Client } from 'pg'
import { systemIds } from '../clock/ids.ts'

/** A PostgreSQL whose user may create databases, and the name of this run, which begins the name of every one. */
export interface TestServer {
  readonly url: string
  readonly run: string
}

export interface TestDatabase extends AsyncDisposable {
  readonly url: string
  /** Drops it together with whatever is still connected to it. */
  drop(): Promise<void>
}

/** The name of a database that others are copied from. */
export type Template = string & { readonly brand: 'template' }

export interface DatabaseWish {
  readonly template?: Template
  /** UTF8 unless said. */
  readonly encoding?: 'SQL_ASCII' | 'LATIN1'
}

/** A database that nobody else uses: empty, or a copy of the template. */
export async function freshDatabase(server: TestServer, options: DatabaseWish = {}): Promise<TestDatabase> {
  const name = `${server.run}_${systemIds.uuid().replaceAll('-', '')}`
  await onServer(server, (client) => createDatabase(client, name, options))
  const drop = () => onServer(server, (client) => dropDatabase(client, name))
  return { url: urlOf(server, name), drop, [Symbol.asyncDispose]: drop }
}

/**
 * A template with the given name, prepared once a run however many ask at the same time: the first prepares, the
 * others wait.
 */
export async function freshTemplate(
  server: TestServer,
  name: string,
  prepare: (url: string) => Promise<void>,
): Promise<Template> {
  // The brand says that freshTemplate made it; PostgreSQL sees an ordinary name.
  const finished = `${server.run}_template_${name}` as Template
  const unfinished = `${finished}_unfinished`
  await onServer(server, async (client) => {
    await client.query('select pg_advisory_lock(hashtext($1))', [finished])
    const found = await client.query('select from pg_database where datname = $1', [finished])
    if (found.rowCount === 1) return
    await dropDatabase(client, unfinished)
    await createDatabase(client, unfinished)
    await prepare(urlOf(server, unfinished))
    // It gets its name only now, so a template that is there is a whole one.
    await renameDatabase(client, unfinished, finished)
  })
  return finished
}

/** Drops every database of the run. */
export async function dropRun(server: TestServer): Promise<void> {
  await onServer(server, async (client) => {
    const found = await client.query<{ datname: string }>(
      'select datname from pg_database where starts_with(datname, $1)',
      [`${server.run}_`],
    )
    for (const { datname } of found.rows) await dropDatabase(client, datname)
  })
}

/** Its files are copied, not written down block by block in the log first: half the work where files lie in memory. */
function createDatabase(client: Client, name: string, { template, encoding }: DatabaseWish = {}) {
  const [made, from] = [name, template ?? 'template0'].map((database) => client.escapeIdentifier(database))
  // The one locale that goes with every encoding.
  const kept = encoding === undefined ? '' : ` encoding '${encoding}' locale_provider libc locale 'C'`
  return client.query(`create database ${made} template ${from} strategy file_copy${kept}`)
}

function dropDatabase(client: Client, name: string) {
  return client.query(`drop database if exists ${client.escapeIdentifier(name)} with (force)`)
}

/** A connection that was just closed is seen by the server a moment later, so whoever is left is sent away first. */
async function renameDatabase(client: Client, from: string, to: string) {
  await client.query('select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1', [from])
  await client.query(`alter database ${client.escapeIdentifier(from)} rename to ${client.escapeIdentifier(to)}`)
}

async function onServer(server: TestServer, work: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new Client({ connectionString: server.url, connectionTimeoutMillis: 60_000 })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}

function urlOf(server: TestServer, database: string): string {
  const url = new URL(server.url)
  url.pathname = `/${database}`
  // A machine that others take away for some seconds is no database that is away.
  url.searchParams.set('connect_timeout', '60')
  return url.href
}
