/** What stands behind the `?` of an address: texts, as they are. */
export type SearchParams = Readonly<Record<string, string>>

/** Each parameter is a text: nothing is guessed to be a number, so that an id stays what it is. */
export const parseSearchParams = (text: string): SearchParams => Object.fromEntries(new URLSearchParams(text))

export function stringifySearchParams(params: Readonly<Record<string, unknown>>): string {
  const entries = Object.entries(params).filter(([, value]) => value !== undefined && value !== '')
  const text = new URLSearchParams(entries.map(([name, value]) => [name, String(value)])).toString()
  return text === '' ? '' : `?${text}`
}

/** A path of this page and nothing else: where to go after signing in. */
export const toInternalPath = (path: unknown): string =>
  typeof path === 'string' && path.startsWith('/') && !path.startsWith('//') && !path.startsWith('/\\')
    ? path
    : '/'
