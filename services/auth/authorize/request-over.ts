/** For pages; to programs it is `invalid_request`, as every code that is no word of OAuth. */
export const requestOver = 'REQUEST_OVER'
