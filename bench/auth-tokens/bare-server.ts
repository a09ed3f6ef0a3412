// What any server pays: it reads a request, signs as often as its path says, and answers. No client, no grant, no row.
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { systemIds } from '../../packages/clock/ids.ts'
import { makeTestKey } from '../../packages/testkit/test-key.ts'
import { makeSigner } from '../../packages/tokens/signer.ts'
import type { AuthServer } from './server.ts'

const signer = makeSigner(await makeTestKey())
const claims = () => ({ sub: 'dr-amara', scope: 'openid fhirUser offline_access', jti: systemIds.uuid() })

// The other variants have their turn between two of this one's: its connections stay open meanwhile.
const server = createServer({ keepAliveTimeout: 600_000 }, (request, response) => {
  request.resume().once('end', () => void answer(Number(request.url?.slice(1)), response))
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
// Sound: a server that listens on TCP has such an address.
const { port } = server.address() as AddressInfo
const printed: AuthServer = { url: `http://127.0.0.1:${port}` }
process.stdout.write(`${JSON.stringify(printed)}\n`)

async function answer(signatures: number, response: ServerResponse): Promise<void> {
  const sign = () => signer.sign({ typ: 'at+jwt', claims: claims() })
  const tokens = JSON.stringify(await Promise.all(Array.from({ length: signatures }, sign)))
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': tokens.length }).end(tokens)
}
