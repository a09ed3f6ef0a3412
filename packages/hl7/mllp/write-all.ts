import type { Socket } from 'node:net'

/** Resolves when the bytes have left our memory: true when they were sent, false when the connection was lost. */
export async function writeAll(socket: Socket, bytes: Buffer): Promise<boolean> {
  if (socket.destroyed || !socket.writable) return false
  return await new Promise<boolean>((resolve) => {
    const onClose = () => resolve(false)
    socket.once('close', onClose)
    socket.write(bytes, (error) => {
      socket.removeListener('close', onClose)
      resolve(error === undefined || error === null)
    })
  })
}
