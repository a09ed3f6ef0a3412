import { extname } from 'node:path'
import { startChild } from '../packages/testkit/child.ts'
import { benchmark } from './harness/benchmark.ts'
import { httpLoad } from './harness/http-load.ts'
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
    const child = await startChild({ script: new URL(`http-token/server${extname(import.meta.url)}`, import.meta.url) })
    try {
      // Sound: the line is what our own program printed.
      const servers = JSON.parse(await child.waitForLine(/^\{/)) as HelloServers
      return { ...servers, [Symbol.asyncDispose]: () => child[Symbol.asyncDispose]() }
    } catch (error) {
      await child.kill()
      throw error
    }
  },
  variants: {
    'no token': ({ url }, round) => httpLoad({ url: `${url}/hello`, connections }, round),
    'verified token': ({ url, token }, round) =>
      httpLoad({ url: `${url}/hello-caller`, connections, headers: bearer(token) }, round),
    'verified token, not remembered': ({ forgetfulUrl, token }, round) =>
      httpLoad({ url: `${forgetfulUrl}/hello-caller`, connections, headers: bearer(token) }, round),
  },
})
