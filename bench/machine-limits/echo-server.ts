// Answers every MLLP frame with the same acknowledgement, without looking into it, in a process of its own.
import { createServer } from 'node:net'

const answer = Buffer.from('\u000bMSH|^~\\&|||||20260101||ACK|1|P|2.5.1\rMSA|AA|1\r\u001c\r')
const endBlock = 0x1c

const server = createServer({ noDelay: true }, (socket) => {
  socket.on('data', (bytes: Buffer) => {
    for (const byte of bytes) if (byte === endBlock) socket.write(answer)
  })
  // Whoever measures has gone.
  socket.on('error', () => socket.destroy())
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object' && address !== null) process.stdout.write(`${address.port}\n`)
})
