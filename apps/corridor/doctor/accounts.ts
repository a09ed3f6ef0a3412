import { faultOf } from '../../../packages/faults/fault.ts'
import type { Database } from '../../../packages/sql/database.ts'
import { refuseDemoAccounts, refuseProductionAccounts } from '../../../services/auth/registration/reconcile.ts'
import type { Configuration } from '../configuration.ts'
import { bad, good, type Finding } from './finding.ts'

/** The accounts are those of this mode: a start in the other one is refused. */
export async function checkAccounts({ mode }: Configuration, database: Database): Promise<Finding> {
  try {
    await (mode === 'production' ? refuseDemoAccounts({ database }) : refuseProductionAccounts({ database }))
    return good('Accounts', `fit for ${mode} mode`)
  } catch (thrown) {
    return bad('Accounts', faultOf(thrown).shown, 'The sentence above says what to do.')
  }
}
