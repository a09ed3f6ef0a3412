/** What happened on a listener since it started, as plain numbers. */
export interface MllpCounters {
  connectionsOpen: number
  connectionsAccepted: number
  /** Over the limit, or from an address that is not allowed. */
  connectionsRefused: number
  tlsFailures: number
  bytesReceived: number
  bytesSent: number
  framesReceived: number
  answersSent: number
  /** Bytes between frames. */
  noiseBytes: number
  /** Frames lost because another began, or the connection ended, before their end. */
  framesBroken: number
  framesOversize: number
  frameTimeouts: number
  idleTimeouts: number
  writeTimeouts: number
  /** Connections that were closed because a web browser or the like was at their other end. */
  httpRequests: number
  /** Connections that never said anything and gave their place to somebody new. */
  silentReplaced: number
  handlerFailures: number
}

export function zeroCounters(): MllpCounters {
  return {
    connectionsOpen: 0,
    connectionsAccepted: 0,
    connectionsRefused: 0,
    tlsFailures: 0,
    bytesReceived: 0,
    bytesSent: 0,
    framesReceived: 0,
    answersSent: 0,
    noiseBytes: 0,
    framesBroken: 0,
    framesOversize: 0,
    frameTimeouts: 0,
    idleTimeouts: 0,
    writeTimeouts: 0,
    httpRequests: 0,
    silentReplaced: 0,
    handlerFailures: 0,
  }
}
