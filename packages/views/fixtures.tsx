import type { VNode } from 'preact'
import { ComponentsPage } from './fixtures/components-page.tsx'
import { ConsolePage } from './fixtures/console-page.tsx'
import { consentDocs } from './fixtures/consent-docs.ts'
import { DashboardPage } from './fixtures/dashboard-page.tsx'
import { EmptyPage } from './fixtures/empty-page.tsx'
import type { GalleryDeps } from './fixtures/gallery-deps.ts'
import { consentHome } from './fixtures/consent-home.ts'
import { forbiddenProblem, invalidProblem, missingProblem, unavailableProblem } from './fixtures/problems.ts'
import { ReferralPage } from './fixtures/referral-page.tsx'
import { RightToLeftPage } from './fixtures/right-to-left-page.tsx'
import { SignInPage } from './fixtures/sign-in-page.tsx'
import { DocsPage } from './docs-page.tsx'
import { ErrorPage, WorkspaceErrorPage } from './error-page.tsx'
import { ServiceHome } from './service-home.tsx'

/** Every page and every state of a component, by name: what the tests look at, and people too. */
export const gallery: Readonly<Record<string, (deps: GalleryDeps) => VNode>> = {
  components: (deps) => <ComponentsPage {...deps} />,
  dashboard: (deps) => <DashboardPage {...deps} />,
  console: (deps) => <ConsolePage {...deps} />,
  referral: (deps) => <ReferralPage {...deps} />,
  'sign-in': (deps) => <SignInPage {...deps} />,
  empty: (deps) => <EmptyPage {...deps} />,
  'right-to-left': (deps) => <RightToLeftPage {...deps} />,
  'service-home': (deps) => <ServiceHome model={consentHome} {...deps} />,
  docs: (deps) => <DocsPage model={consentDocs} baseUrl="http://localhost:8082" {...deps} />,
  'error-missing': (deps) => <ErrorPage layout={deps} problem={missingProblem} requestId={requestId} />,
  'error-unavailable': (deps) => <ErrorPage layout={deps} problem={unavailableProblem} requestId={requestId} />,
  'error-invalid': (deps) => <ErrorPage layout={deps} problem={invalidProblem} requestId={requestId} />,
  'error-no-permission': ({ assetUrl }) => (
    <WorkspaceErrorPage layout={{ ...clinician, assetUrl }} problem={forbiddenProblem} requestId={requestId} />
  ),
}

const clinician = {
  user: { subject: 'dr-amara', name: 'Dr Amara Okafor', roles: new Set(['CLINICIAN']) },
  addresses: { auth: '', referral: '', consent: '', bridge: '' },
  here: 'console',
} as const

const requestId = '0198c5f2-77b1-7c3e-9a51-5e0a4d1f6b20'
