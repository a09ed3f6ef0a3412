import type { ComponentChildren } from 'preact'
import { Alert } from '../../../packages/views/components/alert.tsx'
import { Button } from '../../../packages/views/components/button.tsx'
import { Layout, type LayoutProps } from '../../../packages/views/layout.tsx'
import { inLanguage, LanguageLinks } from '../../../packages/views/words/language-links.tsx'
import { WordsContext, useWords, type Words } from '../words/words.ts'
import { appStyle, sessionScript, wideScreen } from './app-assets.ts'
import { PatientHead, type BannerModel } from './patient-head.tsx'
import { PatientChanged, SessionClock, type SessionView } from './session-clock.tsx'

type Here = 'dashboard' | 'history' | 'recommendations' | 'certificate'

/** What every page behind a launch knows. */
export interface AppFrame {
  readonly words: Words
  readonly assetUrl: LayoutProps['assetUrl']
  readonly session: SessionView
  readonly banner: Omit<BannerModel, 'hasReplacedOther'>
  /** False where the portal shows whose record it is; on paper there is none. */
  readonly needsBanner: boolean
  readonly overdueCount: number
  /** The launch for this patient has closed the record of another one. */
  readonly hasReplacedOther: boolean
  /** The record was merged into another one since the launch. */
  readonly isReplaced: boolean
}

interface AppLayoutProps {
  readonly frame: AppFrame
  readonly title: string
  readonly here?: Here
  /** The address of this page with its choices, for the links to other languages. */
  readonly address: string
  readonly children: ComponentChildren
}

/** The frame of every page behind a launch. */
export function AppLayout({ frame, title, here, address, children }: AppLayoutProps) {
  const { words, session, banner } = frame
  const { text } = words
  const item = (name: Here, label: string) => ({ label, href: `/${name}`, current: name === here })
  const due = item('recommendations', text('navDue'))
  return (
    <WordsContext.Provider value={words}>
      <Layout
        title={title}
        area={text('appName')}
        home="/dashboard"
        {...inLanguage(words)}
        assetUrl={frame.assetUrl}
        styles={[appStyle]}
        fontMedia={wideScreen}
        moreScripts={[frame.assetUrl(sessionScript)]}
        navigation={[
          item('dashboard', text('navOverview')),
          item('history', text('navHistory')),
          frame.overdueCount === 0 ? due : { ...due, count: frame.overdueCount },
          item('certificate', text('navCertificate')),
        ]}
        user={{ name: session.clinicianName ?? text('signedIn'), signOut: <Leave session={session} /> }}
        banner={
          frame.needsBanner ? (
            <PatientHead {...banner} hasReplacedOther={frame.hasReplacedOther && here === 'dashboard'} />
          ) : (
            <div class="paper-only">
              <PatientHead {...banner} hasReplacedOther={false} />
            </div>
          )
        }
        footer={<LanguageLinks language={words.language} address={address} />}
      >
        <SessionWarning />
        {frame.isReplaced && (
          <Alert tone="warning" title={text('recordReplacedTitle')}>
            {text('recordReplacedText')}
          </Alert>
        )}
        {children}
        <PatientChanged name={session.patientName} />
      </Layout>
    </WordsContext.Provider>
  )
}

function Leave({ session }: { readonly session: SessionView }) {
  const { text } = useWords()
  return (
    <>
      <SessionClock session={session} />
      <form method="post" action="/logout">
        <Button look="quiet">{text('signOut')}</Button>
      </form>
    </>
  )
}

/** Waits out of sight until five minutes are left. */
function SessionWarning() {
  const { text } = useWords()
  return (
    <div id="session-warning" hidden>
      <Alert
        tone="warning"
        title={text('sessionWarningTitle')}
        actions={
          <Button type="button" name="stay">
            {text('sessionStay')}
          </Button>
        }
      >
        {text('sessionWarningText')}
      </Alert>
    </div>
  )
}
