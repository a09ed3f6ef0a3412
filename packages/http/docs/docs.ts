import { html, openJson } from '../content.ts'
import { madeOnce } from '../made-once.ts'
import type { DocsModel } from './docs-model.ts'
import { docsModelOf } from './docs-of-routes.ts'
import { openApiOf } from './openapi.ts'
import { route, type Route } from '../route.ts'
import { anyone } from '../who.ts'

interface DocsDeps {
  readonly title: string
  readonly version: string
  readonly publicUrl?: string
  readonly docs?: DocsOptions
}

export interface DocsOptions {
  readonly description?: string
  /** The cookie of those who signed in, as it is called here. */
  readonly sessionCookie?: string
  readonly render?: (model: DocsModel) => string
}

const openApiPath = '/docs/openapi.json'

/** The route table for programs, and as a page for people where the service brings a way to draw it. */
export function docsRoutes<Deps>(routes: readonly Route<Deps>[], deps: DocsDeps): Route[] {
  const about = {
    title: deps.title,
    version: deps.version,
    description: deps.docs?.description,
    serverUrl: deps.publicUrl,
    sessionCookie: deps.docs?.sessionCookie,
    openApiPath,
  }
  const shown = routes.filter(({ hidden }) => hidden !== true)
  // Each is drawn when somebody asks for it: at a start nobody does.
  const openApi = madeOnce(() => openApiOf(shown, about))
  const forPrograms = route({
    method: 'GET',
    path: openApiPath,
    who: anyone,
    summary: 'This description as OpenAPI 3.1',
    hidden: true,
    cors: 'anyone',
    output: { 200: openJson() },
    run: openApi,
  })
  const render = deps.docs?.render
  if (render === undefined) return [forPrograms]
  const markup = madeOnce(() => render(docsModelOf(shown, about)))
  const forPeople = route({
    method: 'GET',
    path: '/docs',
    who: anyone,
    summary: 'This description as a page',
    hidden: true,
    output: { 200: html },
    run: markup,
  })
  return [forPrograms, forPeople]
}
