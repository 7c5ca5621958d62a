/** The token of the session that a response starts, or '' if it starts none. */
export const readSessionToken = (response: { readonly headers: Headers }): string =>
  /^reeve_session=([^;]*)/.exec(response.headers.get('set-cookie') ?? '')?.[1] ?? ''

/** The cookies that a response sets, as a browser sends them. */
export const readCookies = (response: { readonly headers: Headers }): string =>
  response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';', 1)[0])
    .join('; ')
