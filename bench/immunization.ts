import { benchmark } from './harness/benchmark.ts'
import { diskFolder } from './harness/disk-folder.ts'
import { startDurableDatabase } from './harness/durable-database.ts'
import { httpLoad } from './harness/http-load.ts'
import { startServer } from './harness/start-server.ts'
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
    const { path: dataDir } = started.use(await diskFolder())
    progress('starting the portal, the store and the app in a process of their own')
    const program = new URL('immunization/server', import.meta.url)
    const { printed } = started.use(await startServer<AppServers>(program, [database.url, dataDir]))
    const life = started.move()
    return { ...printed, [Symbol.asyncDispose]: () => life.disposeAsync() }
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
