import { servicePassword } from './password.ts'

/** The superuser makes the database and looks after the server; no service signs in as it. */
export const superuser = 'postgres'

/** The user, without further rights, and the database of Corridor's services. */
export const serviceUser = 'corridor'
export const serviceDatabase = 'corridor'

/** Where Corridor's services connect. */
export function serviceUrl(port: number, superuserPassword: string): string {
  return `postgres://${serviceUser}:${servicePassword(superuserPassword)}@127.0.0.1:${port}/${serviceDatabase}`
}

/** Where the supervisor connects. */
export function superuserUrl(port: number, superuserPassword: string): string {
  return `postgres://${superuser}:${superuserPassword}@127.0.0.1:${port}/postgres`
}
