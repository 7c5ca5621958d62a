/** The token of the session that a response starts, or '' if it starts none. */
export const readSessionToken = (response: { readonly headers: Headers }): string =>
  /^reeve_session=([^;]*)/.exec(response.headers.get('set-cookie') ?? '')?.[1] ?? ''
