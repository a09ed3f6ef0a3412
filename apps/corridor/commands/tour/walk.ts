import type { Readable } from 'node:stream'
import type { Clock } from '../../../../packages/clock/clock.ts'
import type { Random } from '../../../../packages/clock/ids.ts'
import { formatTimestamp } from '../../../../packages/hl7/timestamp.ts'
import type { Configuration } from '../../configuration.ts'
import { calledAs } from '../../run/called-as.ts'
import { corridorVersion } from '../../run/version.ts'
import { makeProgress, type Terminal } from '../../terminal.ts'
import { signIn } from './corridor-api.ts'
import type { Guide } from './guide.ts'
import { Narrator } from './narrator.ts'
import { openInBrowser, tourPages, type Page } from './pages.ts'
import { referPatient } from './refer-patient.ts'
import { revokeConsent } from './revoke-consent.ts'
import type { Passage } from './send-message.ts'
import { showMessage, showResources } from './show-message.ts'
import { admission, criticalResult, immunization } from './tour-messages.ts'
import { fullName, newPatient } from './tour-patient.ts'
import type { Transaction } from './transaction.ts'

interface WalkDeps {
  readonly terminal: Terminal
  readonly input: Readable | undefined
  readonly stop: AbortSignal
  readonly clock: Clock
  readonly random: Random
}

/** The tour from its first word to its last, in the Corridor that runs at these addresses. */
export async function walk(
  { configuration, isOpening }: { readonly configuration: Configuration; readonly isOpening: boolean },
  deps: WalkDeps,
): Promise<void> {
  const narrator = new Narrator(deps)
  const progress = makeProgress(deps.terminal)
  const api = { configuration, ...deps }
  const [admin, lakeside] = [await signIn('svc-admin', api), await signIn('lakeside-clinic', api)]
  const guide: Guide = { ...deps, configuration, narrator, progress, admin, lakeside, patient: newPatient(deps) }
  try {
    welcome(guide)
    const admitted = await messages(guide)
    const patient = admitted.patient ?? ''
    const referral = await referPatient(patient, guide)
    await narrator.pause()
    await revokeConsent(admitted, guide)
    await narrator.pause()
    await farewell(tourPages(configuration, { patient, referral }), isOpening, guide)
  } finally {
    progress.done()
  }
}

function welcome({ narrator, configuration, patient }: Guide): void {
  narrator.lines([''])
  narrator.title(`A walk through Corridor ${corridorVersion()}`)
  narrator.say(
    `At ${configuration.auth.url} runs a hospital exchange with demo data. Everything you will see is real: messages over MLLP, FHIR over HTTP, the decisions of the consent service. Only the people are made up; today's patient is ${fullName(patient)}.`,
  )
}

/** Three messages of a hospital, each through all seven stages. */
async function messages(guide: Guide): Promise<Transaction> {
  const { narrator, configuration, patient, clock } = guide
  const { adt, oru } = configuration.bridge.channels
  const at = formatTimestamp(clock.now())

  narrator.heading('1  An admission', `MLLP ${adt.port}`)
  narrator.say(`${fullName(patient)} comes to Central Hospital. Its system says so in HL7v2:`)
  const admitted = await showMessage(admission(patient, at), 'AA', guide)
  await showResources(admitted, guide)
  await narrator.pause()

  narrator.heading('2  A result that cannot wait', `MLLP ${oru.port}`)
  narrator.say('The laboratory found a potassium of 6.8 mmol/L and marked it HH, critically high:')
  const result = await showMessage(criticalResult(patient, at), 'AA', guide)
  await showResources(result, guide)
  narrator.lines([''])
  narrator.say(toldOnCall(result, configuration))
  await narrator.pause()

  narrator.heading('3  A vaccination', `MLLP ${oru.port}`)
  narrator.say('On the ward the patient is vaccinated against influenza:')
  const vaccination = await showMessage(immunization(patient, at), 'AA', guide)
  await showResources(vaccination, guide)
  await narrator.pause()
  return admitted.transaction
}

/** Whoever has switched that subscription off, or is slow, is not told what did not happen. */
function toldOnCall({ deliveries }: Passage, { bridge }: Configuration): string {
  return deliveries.some(({ channel, status }) => channel === 'sms' && status === 'delivered')
    ? 'Because it is critical, the clinician on call was sent a text message without the value in it.'
    : `It is critical, and the clinician on call has had no text message of it so far. See why: ${bridge.url}/console/subscriptions`
}

async function farewell(pages: readonly Page[], isOpening: boolean, { narrator, configuration }: Guide): Promise<void> {
  narrator.heading('6  See it with your own eyes', 'the password is always demo')
  for (const { title, url, account } of pages) {
    narrator.lines([`${title} ${narrator.colour('faint', `(${account})`)}`, `  ${narrator.colour('blue', url)}`])
  }
  if (isOpening) await openAll(pages, narrator)
  narrator.heading('What to try next')
  narrator.lines(nextSteps(configuration.bridge.channels.adt.port))
}

async function openAll(pages: readonly Page[], narrator: Narrator): Promise<void> {
  for (const { url } of pages) {
    if (await openInBrowser(url)) continue
    narrator.say('No browser could be opened from here. Open the addresses above by hand.')
    return
  }
}

const nextSteps = (port: number): string[] => [
  'Send messages of your own',
  `  ${calledAs()} hl7 send --port ${port} your.hl7`,
  'See what they would become',
  `  ${calledAs()} hl7 convert your.hl7`,
  'Write an app on these records: docs/smart-apps.md',
  'Run it for real: docs/production.md',
]
