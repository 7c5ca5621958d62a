/** Browsers, each before the ones that its user agent also names. */
const browsers = [
  ['Edge', /Edg(?:e|A|iOS)?\//],
  ['Opera', /OPR\/|Opera/],
  ['Samsung Internet', /SamsungBrowser\//],
  ['Firefox', /Firefox\/|FxiOS\//],
  ['Chrome', /Chrome\/|Chromium\/|CriOS\//],
  ['Safari', /Safari\//],
] as const

const operatingSystems = [
  ['iPhone', /iPhone/],
  ['iPad', /iPad/],
  ['Android', /Android/],
  ['Windows', /Windows/],
  ['ChromeOS', /CrOS/],
  ['macOS', /Mac OS X|Macintosh/],
  ['Linux', /Linux/],
] as const

const findName = (text: string, names: readonly (readonly [string, RegExp])[]): string | undefined =>
  names.find(([, pattern]) => pattern.test(text))?.[0]

/** `Firefox on Windows`, as far as the user agent reveals it. */
export function describeDevice(userAgent: string): string {
  const browser = findName(userAgent, browsers)
  const system = findName(userAgent, operatingSystems)
  if (browser && system) return `${browser} on ${system}`
  return browser ?? system ?? 'Unknown browser'
}

/** Whether the device is a phone or tablet. */
export const isMobileDevice = (userAgent: string): boolean => /Mobi|Android|iPhone|iPad/.test(userAgent)
