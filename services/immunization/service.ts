import { defineService } from '../../packages/service/service.ts'
import { keepUp } from './background.ts'
import { errorPageOf } from './error-page-of.tsx'
import { immunizationErrors } from './error-style.ts'
import { makeDeps } from './make-deps.ts'
import { immunizationRoutes } from './routes/routes.ts'
import type { ImmunizationSection } from './section.ts'
import { sessionCookieName, smartSession } from './session/visitor.ts'

export const immunizationService = defineService({
  name: 'immunization',
  title: 'Immunization app',
  purpose: "Shows a patient's vaccinations, what is due next, and a certificate to take along.",
  build: async (section: ImmunizationSection, kit) => {
    const deps = await makeDeps(section, kit)
    const upkeep = keepUp(deps)
    return {
      routes: immunizationRoutes(deps),
      deps,
      errors: immunizationErrors,
      errorPage: errorPageOf(deps),
      apiFor: smartSession,
      sessionCookie: sessionCookieName(deps.settings),
      health: { certificateKey: deps.certificateKeys.health },
      tryFirst: [
        {
          title: 'Show a patient their vaccinations, what is due and their certificate',
          text: 'Sign in as a clinician and pick a patient, or open the app from the portal.',
          href: '/launch',
          inDemo: {
            text: 'Sign in as clinician, password demo, and pick Amina Diallo; or open the app for her from the portal.',
          },
        },
        {
          title: 'Look at the keys that health cards are checked with',
          text: 'Anybody may; a card stays good for years.',
          command: `curl ${section.url}/.well-known/jwks.json`,
        },
      ],
      close: async () => {
        await upkeep.end()
        await deps.outbound.close()
      },
    }
  },
})
