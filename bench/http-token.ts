import { benchmark } from './harness/benchmark.ts'
import { httpLoad } from './harness/http-load.ts'
import { startServer } from './harness/start-server.ts'
import type { HelloServers } from './http-token/server.ts'

interface World extends HelloServers, AsyncDisposable {}

const connections = 32
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

export default benchmark<World>({
  name: 'http-token',
  title: `GET hello on ${connections} connections: without a token, with one that is remembered, with one that is not`,
  unit: 'requests/s',
  async setup({ progress }) {
    progress('starting the server in a process of its own')
    const { printed, child } = await startServer<HelloServers>(new URL('http-token/server', import.meta.url))
    return { ...printed, [Symbol.asyncDispose]: () => child[Symbol.asyncDispose]() }
  },
  variants: {
    'no token': ({ url }, round) => httpLoad({ url: `${url}/hello`, connections }, round),
    'verified token': ({ url, token }, round) =>
      httpLoad({ url: `${url}/hello-caller`, connections, headers: bearer(token) }, round),
    'verified token, not remembered': ({ forgetfulUrl, token }, round) =>
      httpLoad({ url: `${forgetfulUrl}/hello-caller`, connections, headers: bearer(token) }, round),
  },
})
