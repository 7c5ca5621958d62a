/** What stands behind the `?` of an address: texts, as they are. */
export type Search = Readonly<Record<string, string>>

/** Each parameter is a text: nothing is guessed to be a number, so that an id stays what it is. */
export const parseSearch = (text: string): Search => Object.fromEntries(new URLSearchParams(text))

export function writeSearch(search: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== '')
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
  return text === '' ? '' : `?${text}`
}

/** A path of this page and nothing else: where to go after signing in. */
export const ownPath = (to: unknown): string =>
  typeof to === 'string' && to.startsWith('/') && !to.startsWith('//') && !to.startsWith('/\\') ? to : '/'
