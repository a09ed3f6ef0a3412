import { incorrect } from '../../../packages/faults/fault.ts'

export function refuseTwice(names: readonly string[]): void {
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw incorrect(`${twice} is declared twice.`, { code: 'REGISTRATION_REFUSED' })
}

export const taken = (name: string) =>
  incorrect(
    `${name} cannot be registered: the name is taken by one that was added elsewhere. Declare it under another name.`,
    {
      code: 'REGISTRATION_REFUSED',
    },
  )

/** RFC 9700 section 4.15: a service account must never be taken for a person. */
export const personsId = (clientId: string) =>
  incorrect(`The client ${clientId} cannot be registered: a person has this id. Give the client another one.`, {
    code: 'REGISTRATION_REFUSED',
  })

/** The other way round. */
export const clientsId = (username: string, subject: string) =>
  incorrect(
    `The user ${username} cannot be registered: a client has the id ${subject}. Register the client under another id and disable this one (\`corridor clients disable ${subject}\`), or give the person’s record another.`,
    {
      code: 'REGISTRATION_REFUSED',
    },
  )
