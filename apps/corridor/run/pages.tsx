import type { DocsModel } from '../../../packages/http/docs/docs-model.ts'
import { html } from '../../../packages/http/content.ts'
import { route, type Route } from '../../../packages/http/route.ts'
import { anyone } from '../../../packages/http/who.ts'
import type { FailedPage, HtmlError } from '../../../packages/http/error-answer.ts'
import { queryOf } from '../../../packages/http/request.ts'
import { sentFields } from '../../../packages/http/sent-fields.ts'
import type { Service, ServiceParts } from '../../../packages/service/service.ts'
import { visitorIn } from '../../../packages/sign-in/visiting.ts'
import { DocsPage } from '../../../packages/views/docs-page.tsx'
import { ErrorPage, WorkspaceErrorPage } from '../../../packages/views/error-page.tsx'
import { renderPage } from '../../../packages/views/render.ts'
import { rememberLanguage } from '../../../packages/views/words/choose-language.ts'
import { makeReaders } from '../../../packages/views/words/reader.ts'
import { kitWords } from '../../../packages/views/words/words.ts'
import { ServiceHome, serviceNavigation, type FirstStep } from '../../../packages/views/service-home.tsx'
import { isForPatients, partOf, startOf } from '../../../packages/views/workspace-layout.tsx'

const { staff, readerOf } = makeReaders(kitWords)

/** The pages that every service has without doing anything for them. */
interface CommonPages {
  readonly home: Route
  readonly docs: (model: DocsModel) => string
  readonly error: HtmlError
}

interface Neighbour {
  readonly title: string
  readonly url: string
  readonly purpose: string
}

export function commonPages(
  service: Service,
  parts: ServiceParts<unknown>,
  about: {
    readonly tryFirst: readonly FirstStep[]
    readonly version: string
    readonly url: string
    readonly assetUrl: (name: string) => string
    readonly addresses: Readonly<Record<string, string>>
    readonly neighbours: readonly Neighbour[]
    readonly isHealthy: () => Promise<boolean>
  },
): CommonPages {
  const { assetUrl, version, addresses } = about
  const cookies = { isSecure: about.url.startsWith('https:') }
  const otherServices = about.neighbours.map(({ title, url, purpose }) => ({ label: title, href: url, text: purpose }))
  // A service whose own pages begin at its address says what it is one step further.
  const hasOwnHome = parts.routes.some(({ method, path }) => method === 'GET' && path === '/')
  const firstSteps = [...about.tryFirst, ...commonSteps(about.url)]
  return {
    home: route({
      method: 'GET',
      path: hasOwnHome ? '/about' : '/',
      who: anyone,
      summary: 'What this service is and where to go next',
      hidden: true,
      output: { 200: html },
      run: async () =>
        renderPage(
          <ServiceHome
            model={{
              name: service.title,
              purpose: service.purpose,
              version,
              healthy: await about.isHealthy(),
              firstSteps,
              otherServices,
            }}
            assetUrl={assetUrl}
          />,
        ),
    }),
    docs: (model) => renderPage(<DocsPage model={model} assetUrl={assetUrl} baseUrl={about.url} />),
    error: (problem, requestId, failed) => {
      const visitor = visitorIn(failed.caller)
      const roles = visitor?.caller.roles
      const here = partOf(service.name, failed.url, roles)
      // What is loaded once more can be read in another language.
      const address = failed.method === 'GET' ? failed.url : undefined
      const reader = isForPatients(service.name) ? readerOf(failed, { roles, address }, cookies) : staff
      const { words, layout: spoken } = reader
      const chosen = new URLSearchParams(queryOf(failed.url)).get('lang') ?? undefined
      const headers = address === undefined || reader === staff ? {} : rememberLanguage(chosen, cookies)
      const isOver = here !== undefined && problem.code === 'no_session'
      if (visitor === undefined || here === undefined || isOver) {
        const part = here === undefined ? undefined : words.wording.workspace[here]
        // What a service is called, and where its pages for developers are, is English.
        const around =
          words.language === 'en' || part === undefined
            ? { area: service.title, navigation: serviceNavigation('') }
            : { area: part }
        const layout = { assetUrl, ...around, ...spoken }
        const signInTo = isOver ? startOf(here) : undefined
        const failure = { problem, requestId, layout, signInTo }
        return { headers, markup: renderPage(<ErrorPage {...failure} />) }
      }
      const { subject } = visitor.caller
      const user = { subject, name: visitor.name, roles: visitor.caller.roles }
      const layout = { user, addresses, here, assetUrl, ...spoken }
      const again = mayGoWell(problem.status) ? againOf(failed) : undefined
      return { headers, markup: renderPage(<WorkspaceErrorPage {...{ problem, requestId, layout, again }} />) }
    },
  }
}

/** What was wrong was on our side, or will pass. */
const mayGoWell = (status: number): boolean => status >= 500 || status === 429

/** Who had typed a form has it back: the page that they would go back to may not load now. */
function againOf(failed: FailedPage) {
  if (failed.method === 'GET') return failed.url
  const fields = sentFields(failed)
  return fields && { to: failed.url, fields }
}

function commonSteps(url: string) {
  return [
    {
      title: 'Ask how it is',
      text: 'The same answer that a load balancer gets.',
      command: `curl ${url}/actuator/health`,
    },
    {
      title: 'Read the API',
      text: 'Every operation, who may call it, and a call to copy.',
      href: '/docs',
    },
  ]
}
