import type { Command } from 'commander'
import type { Queryable } from '../../../packages/sql/queryable.ts'
import { verifyAuditRecords } from '../../../services/bridge/audit/store/audit-records.ts'
import { verifyChains as verifyConsent } from '../../../services/consent/audit/verify-chains.ts'
import { verifyChains as verifyFhir } from '../../../services/fhir/audit/verify-chain.ts'
import { table } from '../table.ts'
import { exportTrails, periodOf } from './audit-export.ts'
import type { AccountCommands } from './accounts/account-command.ts'

interface AuditCommands extends Pick<AccountCommands, 'common' | 'say' | 'onDatabase'> {
  readonly finish: (code: number) => void
}

/** `corridor audit`: whether what is kept of who did what is still what was written. */
export function addAuditCommands(corridor: Command, { common, say, onDatabase, finish }: AuditCommands): void {
  const audit = corridor.command('audit').description('what is kept of who did what')
  common(audit.command('verify'))
    .description('make every hash of the audit trails anew; exit 1 where something was altered or taken away')
    .action((_options: object, command: Command) =>
      onDatabase(command, async ({ database }) => {
        const reports: TrailReport[] = []
        for (const verify of trails) reports.push(await verify(database))
        say(table(['trail', 'chains', 'entries', 'verdict'], reports.map(rowOf)))
        const faults = reports.flatMap(({ trail, broken }) => broken.map((place) => `${trail}: ${place}`))
        for (const fault of faults) say(fault)
        finish(faults.length === 0 ? 0 : 1)
      }),
    )
  common(audit.command('export'))
    .description('copy the audit trails of some days into files, one JSON object a line')
    .requiredOption('--from <day>', 'needed: the first day, as UTC counts it: 2026-03-01')
    .requiredOption('--to <day>', 'needed: the day after the last one')
    .requiredOption('--into <folder>', 'needed: where the files go; it is made where it is missing')
    .addHelpText('after', exportHelp)
    .action(({ from, to, into }: { from: string; to: string; into: string }, command: Command) => {
      const period = periodOf(from, to)
      return onDatabase(command, async ({ database }) => {
        const exported = await exportTrails(period, into, database)
        say(
          table(
            ['file', 'entries'],
            exported.map(({ file, entries }) => [file, String(entries)]),
          ),
        )
      })
    })
}

const exportHelp = `
The files hold ids of patients and staff; only who runs this can read them. Nothing
is taken out of the database: an export is a copy, not a way to make room.

Example:
  corridor audit verify
  corridor audit export --from 2026-03-01 --to 2026-04-01 --into march`

interface TrailReport {
  readonly trail: string
  readonly chains: number
  readonly entries: number
  /** Where each chain that does not hold is broken, in words. */
  readonly broken: readonly string[]
}

const rowOf = ({ trail, chains, entries, broken }: TrailReport): string[] => [
  ...[trail, String(chains), String(entries)],
  broken.length === 0 ? 'whole' : `${broken.length} broken`,
]

const trails: readonly ((on: Queryable) => Promise<TrailReport>)[] = [ofFhirStore, ofConsent, ofBridge]

async function ofFhirStore(on: Queryable): Promise<TrailReport> {
  const verdicts = await verifyFhir(on)
  return {
    ...{ trail: 'FHIR store', chains: verdicts.length },
    entries: verdicts.reduce((sum, verdict) => sum + (verdict.is === 'whole' ? verdict.length : verdict.position), 0),
    broken: verdicts.flatMap((verdict) =>
      verdict.is === 'whole' ? [] : [`chain ${verdict.chain} at ${verdict.position}: ${verdict.why}`],
    ),
  }
}

async function ofConsent(on: Queryable): Promise<TrailReport> {
  const { chains, events, broken } = await verifyConsent(on)
  return {
    ...{ trail: 'consent', chains, entries: events },
    broken: broken.map(({ chain, position }) => `chain ${chain} at ${position}`),
  }
}

/** Of the embedded repository: records that went to another one are that one's to keep. */
async function ofBridge(on: Queryable): Promise<TrailReport> {
  const verdict = await verifyAuditRecords(on)
  return {
    ...{ trail: 'bridge', chains: 1, entries: verdict.records },
    broken: verdict.is === 'whole' ? [] : [`record ${verdict.position}`],
  }
}
