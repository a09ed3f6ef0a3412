/** Only a path of the same service: nobody is sent elsewhere after signing in. */
export const ownPath = (path: string): string => (/^\/(?![/\\])[^\u0000-\u001f\\]*$/.test(path) ? path : '/')
