import type { Route } from '../../../packages/http/route.ts'
import type { ReferralDeps } from '../deps.ts'
import { change } from './change-draft.ts'
import { create } from './create-referral.ts'
import { gatePreview } from './gate-preview.ts'
import { read } from './get-referral.ts'
import { history } from './history.ts'
import { hold } from './hold-referral.ts'
import { inbox } from './inbox.ts'
import { tasks } from './list-tasks.ts'
import { myReferrals } from './my-referrals.ts'
import { patchTask } from './patch-task.ts'
import { ofPatient, ofPatientReference } from './patient-referrals.ts'
import { reroute } from './reroute-referral.ts'
import { resume } from './resume-referral.ts'
import { revoke } from './revoke-referral.ts'
import { send } from './send-referral.ts'
import { stats } from './stats.ts'

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
  change,
]
