import type { Key } from '../../../packages/config/key.ts'
import { records } from '../../../packages/config/records.ts'
import { incorrect } from '../../../packages/faults/fault.ts'
import { clientFields, type DeclaredClient } from './client-fields.ts'
import { userFields, type DeclaredUser } from './user-fields.ts'

/** Clients as they would stand in the configuration: what is left out has the default of its field. */
export const declareClients = (raw: readonly Partial<DeclaredClient>[]): readonly DeclaredClient[] =>
  declared(records({ meaning: '', fields: clientFields, needed: ['clientId'] }), raw)

export const declareUsers = (raw: readonly Partial<DeclaredUser>[]): readonly DeclaredUser[] =>
  declared(records({ meaning: '', fields: userFields, needed: ['username', 'fhirUser', 'roles'] }), raw)

function declared<Value>(key: Key<readonly Value[]>, raw: readonly object[]): readonly Value[] {
  const reading = key.read(raw.map(withoutUndefined), 'file')
  if ('value' in reading) return reading.value
  throw incorrect(`The record ${reading.wrong}.`, { code: 'REGISTRATION_REFUSED' })
}

const withoutUndefined = (record: object): object =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined))
