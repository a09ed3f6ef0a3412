import { userInfo } from 'node:os'

/**
 * Who runs a command, as the audit trail names them. Whom sudo names is believed of root alone: anybody else can write
 * anybody's name there.
 */
export function operatorOf(environment: Readonly<Partial<Record<string, string>>>): string {
  const { name, isRoot } = accountHere()
  const asked = environment['SUDO_USER']
  return isRoot && asked !== undefined && asked !== '' ? `os:${asked} (sudo)` : `os:${name}`
}

/** In a container the number of an account may have no name. */
function accountHere(): { readonly name: string; readonly isRoot: boolean } {
  const uid = process.getuid?.()
  const isRoot = uid === 0
  try {
    return { name: userInfo().username, isRoot }
  } catch {
    return { name: uid === undefined ? 'unknown' : `uid ${uid}`, isRoot }
  }
}
