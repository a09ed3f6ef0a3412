import type { Wording } from '../../wording.ts'
import { locales, type Language } from '../languages.ts'
import type { KitText } from './kit-text.ts'

/** What the components of the kit say, by the texts of one language. */
export function wordingOf(text: KitText, language: Language): Wording {
  return {
    ...{ language, text, locale: locales[language] },
    skipToContent: text('skipToContent'),
    mainNavigation: text('mainNavigation'),
    signOut: text('signOut'),
    workspace: {
      referrals: text('part_referrals'),
      consents: text('part_consents'),
      apps: text('part_apps'),
    },
    tagline: text('tagline'),
    pressForShortcuts: [text('pressForShortcutsBefore'), text('pressForShortcutsAfter')],
    keyboard: text('keyboard'),
    goToSearch: text('goToSearch'),
    showShortcuts: text('showShortcuts'),
    closeOpen: text('closeOpen'),
    singleKeys: text('singleKeys'),
    close: text('close'),
    optional: text('optional'),
    choose: text('choose'),
    working: text('working'),
    done: (done, total) => text('done', { done, total }),
    patient: text('patient'),
    born: text('born'),
    died: text('died'),
    dateNotKnown: text('dateUnknown'),
    sex: text('sex'),
    previous: text('previous'),
    next: text('next'),
    pages: text('pages'),
    range: (first, last, total) => text('range', { first, last, total }),
  }
}
