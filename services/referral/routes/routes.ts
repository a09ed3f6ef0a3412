import type { Route } from '../../../packages/http/route.ts'
import type { ReferralDeps } from '../deps.ts'
import { gatePreview } from './gate.ts'
import { inbox, ofPatient, ofPatientReference } from './lists.ts'
import { history, myReferrals, read, stats, tasks } from './read.ts'
import { create, hold, patchTask, reroute, resume, revoke, send } from './write.ts'

/** In the order of the specification, then what we have added. */
export const referralRoutes: readonly Route<ReferralDeps>[] = [
  create,
  read,
  myReferrals,
  ofPatient,
  ofPatientReference,
  inbox,
  send,
  patchTask,
  revoke,
  hold,
  resume,
  tasks,
  stats,
  history,
  gatePreview,
  reroute,
]
