// Loaded before the command (`node --import`): ends the whole process group at a boundary of a message.
//   CRASH_AT=<boundary> CRASH_AFTER=<how often it is passed before the end>
import { subscribe } from 'node:diagnostics_channel'
import { boundaryChannel } from '../../services/bridge/durable/boundaries.ts'

const { CRASH_AT: crashAt, CRASH_AFTER: crashAfter } = process.env
let passed = 0
subscribe(boundaryChannel, (boundary) => {
  if (boundary === crashAt && ++passed === Number(crashAfter)) process.kill(0, 'SIGKILL')
})
