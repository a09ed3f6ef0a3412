import { isLineEnd, splitBatch, type Peer } from '../../../packages/hl7/index.ts'
import { readIncoming, type Refused } from '../pipeline/1-receive.ts'
import type { Channel } from '../pipeline/channel.ts'
import { knownAtReceipt, type Failed } from '../pipeline/outcome.ts'
import { tooLargeCode } from '../store/to-be-run.ts'

/** What can be said of a message of which only the beginning was read, or of the first one of such a batch. */
export function readTooLarge(head: Uint8Array, frameBytesMax: number, channel: Channel, peer: Peer): Refused {
  const whole = wholeSegments(head)
  const first = splitBatch(whole).messages[0] ?? whole
  const { message, header, facility, patientKeys } = readIncoming(first, channel, peer)
  return { message, header, facility, patientKeys, refused: tooLarge(frameBytesMax) }
}

/** The last segment broke off: a number that it begins may be somebody else's. */
function wholeSegments(head: Uint8Array): Uint8Array {
  const end = head.findLastIndex(isLineEnd)
  return end < 0 ? head : head.subarray(0, end)
}

function tooLarge(frameBytesMax: number): Failed {
  const errorMessage = `The message is larger than the ${frameBytesMax} bytes that this listener takes.`
  return {
    ...knownAtReceipt,
    ...{ status: 'ERROR', code: 'AR', errorCode: tooLargeCode, errorMessage },
    issues: [{ code: '104', severity: 'E', text: errorMessage }],
  }
}
