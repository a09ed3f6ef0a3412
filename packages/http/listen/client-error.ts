import type { Duplex } from 'node:stream'
import { Socket } from 'node:net'
import { incorrect, type Fault } from '../../faults/fault.ts'
import { httpStatusOf } from '../../faults/render.ts'
import type { Connections } from './connections.ts'
import { renderError } from '../error-style.ts'

/** Answers what is not even a request: bytes that are no HTTP, headers without end, a request that never completes. */
export function answerClientError(error: Error, socket: Duplex, connections: Connections, now: Date): void {
  const answers = socket instanceof Socket ? [...connections.answersOn(socket)] : []
  // Half an answer is out already: more bytes would only garble it.
  if (!socket.writable || answers.some((answer) => answer.headersSent) || isGone(error)) {
    socket.destroy()
    return
  }
  const fault = faultOfClientError(error)
  const { httpStatus, title } = httpStatusOf(fault)
  const { mediaType, body } = renderError('problem', fault, now)
  const head = [
    `HTTP/1.1 ${httpStatus} ${title}`,
    `Content-Type: ${mediaType}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    'Connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy())
}

function faultOfClientError(error: Error): Fault {
  const code = 'code' in error ? error.code : undefined
  if (code === 'HPE_HEADER_OVERFLOW') {
    return incorrect('The headers of the request are too large.', { code: 'HEADERS_TOO_LARGE' })
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return incorrect('The request took too long to arrive.', { code: 'REQUEST_TIMEOUT' })
  }
  return incorrect('This is not an HTTP request.')
}

const isGone = (error: Error) => 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE')
