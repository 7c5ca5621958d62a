/** Features of browsers that neither the portal nor the API reference uses. */
const DISABLED_FEATURES = ['camera', 'display-capture', 'geolocation', 'microphone', 'payment', 'usb']

/**
 * A year, without `includeSubDomains`: programs on subdomains of the host are not ours, and may have no TLS. A proxy can send a longer
 * policy instead.
 */
const TRANSPORT_SECURITY = 'max-age=31536000'

/**
 * The headers of every response, errors included. A route that needs other values sets them: pages their own
 * `Content-Security-Policy`, images and files that other origins may load their `Cross-Origin-Resource-Policy`.
 * Requests with CORS, such as those of `REEVE_CORS_ORIGINS`, are not affected.
 * @param isHttps whether the public URL is https
 */
export const createSecurityHeaders = (isHttps: boolean): Readonly<Record<string, string>> => ({
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': DISABLED_FEATURES.map((feature) => `${feature}=()`).join(', '),
  ...(isHttps && { 'strict-transport-security': TRANSPORT_SECURITY }),
})

/**
 * For a document with the policy `sandbox`: browsers refuse to show one that also has a policy for its opener.
 * Source: "sandboxing and cross-origin opener policies" in the HTML standard.
 */
export const SANDBOXED_DOCUMENT = { 'cross-origin-opener-policy': 'unsafe-none' } as const

/** For public files that pages of other origins may load without CORS. */
export const EMBEDDABLE = { 'cross-origin-resource-policy': 'cross-origin' } as const
