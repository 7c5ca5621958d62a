import { type AppContext, publicRoute } from '@reeve/auth'
import { DAY_MS } from '@reeve/core'
import { Elysia } from 'elysia'
import { notFoundError } from './errors.ts'

const SECURITY_TXT_PATH = '/.well-known/security.txt'

/** How long the file is valid from the day of the request on. RFC 9116 recommends less than a year. */
const VALIDITY_MS = 180 * DAY_MS

/**
 * `/.well-known/security.txt`: whom to tell about a vulnerability of this instance. Source: RFC 9116.
 * @param contact a URL, such as `mailto:` and an e-mail address; null if there is no such file
 */
export const securityTxt = ({ auth, ports, settings }: AppContext, contact: string | null) =>
  new Elysia({ name: 'security-txt', tags: ['Operations'], normalize: false }).use(auth).get(
    SECURITY_TXT_PATH,
    async ({ set }) => {
      if (contact === null) throw notFoundError()
      const today = ports.now() - (ports.now() % DAY_MS)
      set.headers['content-type'] = 'text/plain; charset=utf-8'
      return [
        `Contact: ${contact}`,
        `Expires: ${new Date(today + VALIDITY_MS).toISOString()}`,
        'Preferred-Languages: en',
        `Canonical: ${new URL(SECURITY_TXT_PATH, settings.publicUrl).href}`,
        '',
      ].join('\n')
    },
    { permission: publicRoute, detail: { summary: 'The contact for vulnerabilities', hide: true } },
  )
