import type { Client } from 'pg'
import { serviceDatabase, serviceUser } from './addresses.ts'
import { servicePassword } from './password.ts'

/**
 * Makes the services' user and database where they are missing. It is looked at on every start, because the first may
 * have been interrupted between the two.
 */
export async function ensureServiceDatabase(client: Client, superuserPassword: string): Promise<void> {
  const found = await client.query<{ role: boolean; database: boolean }>(
    `select exists (select from pg_roles where rolname = $1) as role,
            exists (select from pg_database where datname = $2) as database`,
    [serviceUser, serviceDatabase],
  )
  const [state] = found.rows
  if (state?.role !== true) {
    const password = client.escapeLiteral(servicePassword(superuserPassword))
    await client.query(`create role ${serviceUser} login password ${password}`)
  }
  if (state?.database !== true) await client.query(`create database ${serviceDatabase} owner ${serviceUser}`)
}
