import { Alert } from '../../../packages/views/components/alert.tsx'
import { Button } from '../../../packages/views/components/button.tsx'
import { EmptyState } from '../../../packages/views/components/empty-state.tsx'
import { PageHead } from '../../../packages/views/components/page-head.tsx'
import { PersonName } from '../../../packages/views/components/person-name.tsx'
import type { Looking } from '../certificate/signable.ts'
import type { CertifiedVaccine } from '../issue-certificate.ts'
import type { Person } from '../read-model/patient-record.ts'
import { useWords } from '../words/words.ts'
import { AppLayout, type AppFrame } from './app-layout.tsx'
import { CodeFigure, type CodeView } from './code-figure.tsx'
import { Day } from './day.tsx'
import { DoseDate, doubtsInWords } from './dose-words.tsx'

interface CertificateModel {
  readonly frame: AppFrame
  readonly patient: Person
  readonly groups: readonly CertifiedVaccine[]
  /** Those that are shown, of so many. */
  readonly codes: readonly CodeView[]
  readonly codeCount: number
  /** Some dose is too long for any code. */
  readonly isShort: boolean
  /** Something of the record is not certified, because nobody knows when it was given. */
  readonly leavesOutUndated: boolean
  readonly uvci: string
  readonly generatedOn: string
}

/** The card that goes along: on paper it is the only thing on the sheet. */
export function CertificatePage(model: CertificateModel) {
  const { frame, patient, groups, codes, codeCount, isShort, leavesOutUndated, uvci, generatedOn } = model
  const { text } = frame.words
  return (
    <AppLayout frame={frame} title={text('certificateTitle')} here="certificate" address="/certificate">
      <div class="screen-only">
        <PageHead
          title={text('certificatePageTitle')}
          lead={text('certificateLead')}
          actions={<Actions groups={groups} />}
        />
        {leavesOutUndated && <Alert tone="info" title={text('undatedLeftOut')} />}
      </div>
      {groups.length === 0 ? (
        <div class="card">
          <EmptyState title={text('nothingToCertifyTitle')}>{text('nothingToCertifyText')}</EmptyState>
        </div>
      ) : (
        <article class="certificate card" aria-labelledby="certificate-title">
          <header>
            <div>
              <h2 id="certificate-title">{text('certificateTitle')}</h2>
              <p class="certificate-name">
                <PersonName name={patient.name ?? text('nameUnknown')} />
              </p>
              <dl>
                {patient.born !== null && (
                  <div>
                    <dt>{text('born')}</dt>
                    <dd>
                      <Day date={patient.born} />
                    </dd>
                  </div>
                )}
                <div>
                  <dt>{text('generatedOn')}</dt>
                  <dd>
                    <Day date={generatedOn} />
                  </dd>
                </div>
                <div>
                  <dt>{text('certificateId')}</dt>
                  <dd class="uvci">{uvci}</dd>
                </div>
              </dl>
            </div>
            {codes.length === 1 && codes.map((code) => <CodeFigure key={code.number} code={code} />)}
          </header>
          <CertifiedDoses groups={groups} looking={{ patient, today: generatedOn }} />
          {codes.length > 1 && (
            <section class="code-sheet" aria-label={text('codes')}>
              <p>{text('splitCodes')}</p>
              {codes.length < codeCount && (
                <p>
                  <strong>{text('codesFirst', { shown: codes.length, of: codeCount })}</strong>
                </p>
              )}
              <div class="code-grid">
                {codes.map((code) => (
                  <CodeFigure key={code.number} code={code} />
                ))}
              </div>
            </section>
          )}
          {isShort && <p>{text('codesLeaveOut')}</p>}
          <p class="certificate-note">{text('unsignedNote')}</p>
        </article>
      )}
      {codes.length > 0 && <CodeTexts codes={codes} />}
    </AppLayout>
  )
}

function Actions({ groups }: { readonly groups: readonly CertifiedVaccine[] }) {
  const { text } = useWords()
  if (groups.length === 0) return null
  return (
    <>
      <Button type="button" look="primary" name="print">
        {text('print')}
      </Button>
      <Button href="/certificate/pdf">{text('downloadPdf')}</Button>
      <Button href="/certificate/health-card">{text('healthCard')}</Button>
    </>
  )
}

function CertifiedDoses({
  groups,
  looking,
}: {
  readonly groups: readonly CertifiedVaccine[]
  readonly looking: Looking
}) {
  const words = useWords()
  const { text } = words
  return (
    <table class="certified">
      <caption class="visually-hidden">{text('validVaccinations')}</caption>
      <thead>
        <tr>
          <th scope="col">{text('vaccine')}</th>
          <th scope="col">{text('doseHeading')}</th>
          <th scope="col">{text('date')}</th>
          <th scope="col">{text('lot')}</th>
          <th scope="col">{text('givenBy')}</th>
        </tr>
      </thead>
      {groups.map((group) => (
        <tbody key={group.code}>
          {group.doses.map((dose, index) => (
            <tr key={index}>
              {index === 0 && (
                <th scope="rowgroup" rowSpan={group.doses.length}>
                  <bdi>{group.label}</bdi>
                </th>
              )}
              <td>
                <bdi>{dose.doseNumber}</bdi>
              </td>
              <td>
                <DoseDate dose={dose} />
              </td>
              <td>
                <bdi dir="ltr">{dose.lotNumber}</bdi>
              </td>
              <td>
                <bdi>{dose.performerDisplay}</bdi>
                {dose.performerDisplay !== null && ' '}
                <span class="reported">{doubtsInWords(dose, looking, words).join(' · ')}</span>
              </td>
            </tr>
          ))}
        </tbody>
      ))}
    </table>
  )
}

/** What the codes say, for who cannot see or scan them. */
function CodeTexts({ codes }: { readonly codes: readonly CodeView[] }) {
  const { text } = useWords()
  return (
    <details class="card screen-only code-texts">
      <summary>{text('whatTheCodeSays')}</summary>
      {codes.map(({ number, content }) => (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must take the focus (WCAG 2.1.1)
        <pre key={number} class="code-block" dir="ltr" tabIndex={0} aria-label={text('whatTheCodeSays')}>
          {content}
        </pre>
      ))}
      <Alert tone="info" title={text('unsignedTitle')}>
        {text('unsignedText')}
      </Alert>
    </details>
  )
}
