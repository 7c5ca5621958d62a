/** Where a link to set a password leads. The token is in the fragment, which browsers send to no server. */
export const formatPasswordLink = (publicUrl: URL, token: string): string =>
  `${publicUrl.origin}/sign-in/password#${token}`
