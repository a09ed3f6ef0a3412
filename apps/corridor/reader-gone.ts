import type { Writable } from 'node:stream'

/**
 * A command whose reader has left (`corridor … | head`) ends without a word, as Unix tools do. A Corridor that serves
 * goes on: that nobody reads its lines any more is no reason to stop receiving messages.
 */
export function endWithReader(
  streams: readonly Writable[],
  isServing: () => boolean,
  end: (code: number) => void,
): void {
  for (const stream of streams) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (isServing()) return
      if (error.code !== 'EPIPE') throw error
      end(brokenPipe)
    })
  }
}

/** What a shell shows for a program that SIGPIPE has ended. */
const brokenPipe = 141
