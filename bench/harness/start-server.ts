import { extname } from 'node:path'
import { startChild, type Child } from '../../packages/testkit/child.ts'

interface StartedServer<Printed> extends AsyncDisposable {
  readonly child: Child
  /** What the program printed, as one line of JSON, when it could be called. */
  readonly printed: Printed
}

/**
 * Starts what a benchmark measures in a process of its own: the load must not share its event loop.
 * @param program its file without an ending, for it is built together with this one or not
 */
export async function startServer<Printed>(
  program: URL,
  args: readonly string[] = [],
): Promise<StartedServer<Printed>> {
  const child = await startChild({ script: new URL(`${program.href}${extname(import.meta.url)}`), args })
  try {
    const line = await child.waitForLine(/^\{/, { deadlineMs: startMsMax })
    // Sound: the line is what our own program printed.
    return { child, printed: JSON.parse(line) as Printed, [Symbol.asyncDispose]: () => child[Symbol.asyncDispose]() }
  } catch (error) {
    await child.kill()
    throw error
  }
}

/** Some migrate a database and fill it first. */
const startMsMax = 120_000
