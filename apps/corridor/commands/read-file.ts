import { readFile } from 'node:fs/promises'
import { incorrect } from '../../../packages/faults/fault.ts'

/** The text of a file that somebody named on the command line. */
export const readTextFile = async (file: string): Promise<string> => (await readNamedFile(file)).toString('utf8')

/** Its bytes. */
export async function readNamedFile(file: string): Promise<Buffer> {
  try {
    return await readFile(file)
  } catch (error) {
    throw incorrect(`The file ${file} cannot be read. Check the path and its permissions.`, { cause: error })
  }
}
