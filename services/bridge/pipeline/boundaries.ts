import { channel } from 'node:diagnostics_channel'

/** The moments between which a crash may fall, in the order in which a message passes them. */
export const boundaries = [
  'framed',
  'journaled',
  'enriched',
  'transformed',
  'governed',
  'stored',
  'settled',
  'before-ack',
  'acked',
  'dispatched',
  'audited',
] as const

export type Boundary = (typeof boundaries)[number]

/** Told whenever a message passes a boundary. Nobody listens but a test, which may kill the process there. */
export type PassBoundary = (boundary: Boundary) => void

/** The name of Node's diagnostics channel on which boundaries are published; without a listener it costs nothing. */
export const boundaryChannel = 'corridor.bridge.boundary'

export function publishBoundaries(): PassBoundary {
  const published = channel(boundaryChannel)
  return (boundary) => {
    if (published.hasSubscribers) published.publish(boundary)
  }
}
