import { createServer } from 'node:net'

/** The code of the error by which one cannot listen there; undefined where one can, and does no more. */
export function whyNotListen(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', ({ code, message }: NodeJS.ErrnoException) => resolve(code ?? message))
    probe.listen({ host, port, exclusive: true, ipv6Only: host.includes(':') }, () =>
      probe.close(() => resolve(undefined)),
    )
  })
}
