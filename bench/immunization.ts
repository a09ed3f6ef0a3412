import { extname } from 'node:path'
import { startChild } from '../packages/testkit/child.ts'
import { benchmark } from './harness/benchmark.ts'
import { startDurableDatabase } from './harness/durable-database.ts'
import { httpLoad } from './harness/http-load.ts'
import type { AppServers } from './immunization/server.ts'

interface World extends AppServers, AsyncDisposable {}

const connections = 8

export default benchmark<World>({
  name: 'immunization',
  title: `${connections} browsers open pages of a patient with 60 doses: the record remembered for a minute, and read each time`,
  unit: 'requests/s',
  async setup({ progress }) {
    await using started = new AsyncDisposableStack()
    const database = started.use(await startDurableDatabase(progress))
    progress('starting the portal, the store and the app in a process of their own')
    const child = started.use(
      await startChild({
        script: new URL(`immunization/server${extname(import.meta.url)}`, import.meta.url),
        args: [database.url],
      }),
    )
    // Sound: the line is what our own program printed.
    const servers = JSON.parse(await child.waitForLine(/^\{/, { deadlineMs: 120_000 })) as AppServers
    const life = started.move()
    return { ...servers, [Symbol.asyncDispose]: () => life.disposeAsync() }
  },
  variants: {
    session: ({ url, cookie }, round) => load(`${url}/api/session`, cookie, round),
    dashboard: ({ url, cookie }, round) => load(`${url}/dashboard`, cookie, round),
    'dashboard, record read each time': ({ forgetfulUrl, cookie }, round) =>
      load(`${forgetfulUrl}/dashboard`, cookie, round),
    history: ({ url, cookie }, round) => load(`${url}/history`, cookie, round),
  },
})

const load = (url: string, cookie: string, round: Parameters<typeof httpLoad>[1]) =>
  httpLoad({ url, connections, headers: { cookie, accept: 'text/html', 'accept-encoding': 'br' } }, round)
