import { hash } from 'node:crypto'
import { createContext } from 'preact'

/** The field of a form that says who opened its page. */
export const openedByField = 'openedBy'

/**
 * Who opened a page, as its forms say it: the same for every session of one person. It keeps out a mistake, two people at
 * one browser, and no attacker (packages/http/csrf.ts does): it needs no secret (decision 1760).
 */
export const openedBy = (subject: string): string => hash('sha256', `opened by ${subject}`, 'base64url')

/** For the forms of a page; the frame of the workspace knows its reader. */
export const OpenedByContext = createContext<string | undefined>(undefined)
