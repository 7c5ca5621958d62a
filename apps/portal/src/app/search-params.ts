/** The query string, as strings. */
export type SearchParams = Readonly<Record<string, string>>

/** Parses every value as a string, so that a numeric id stays a string. */
export const parseSearchParams = (text: string): SearchParams => Object.fromEntries(new URLSearchParams(text))

export function stringifySearchParams(params: Readonly<Record<string, unknown>>): string {
  const entries = Object.entries(params).filter(([, value]) => value !== undefined && value !== '')
  const text = new URLSearchParams(
    entries.map(([name, value]): [string, string] => [name, String(value)]),
  ).toString()
  return text === '' ? '' : `?${text}`
}

/** A path on this site; anything else becomes `/`, to prevent open redirects after signing in. */
export const toInternalPath = (path: unknown): string =>
  typeof path === 'string' && path.startsWith('/') && !path.startsWith('//') && !path.startsWith('/\\')
    ? path
    : '/'
