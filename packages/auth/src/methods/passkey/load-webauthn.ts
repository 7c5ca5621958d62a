/**
 * The library that verifies passkeys. It takes 25 MB of memory, so it is loaded with the first response of an authenticator. One of its
 * dependencies, tsyringe, expects a polyfill that the single-file build would initialize too late.
 */
export async function loadWebAuthn() {
  await import('reflect-metadata')
  return import('@simplewebauthn/server')
}
