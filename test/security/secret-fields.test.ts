import { expect, test } from 'bun:test'
import { standalonePortalDocument } from '@reeve/api/openapi/standalone'
import { LEGACY_PREFIX, PUBLIC_URL } from '../support/instance.ts'
import { SECRET_FIELD } from './planted-secrets.ts'

/** Fields of responses that are named like a secret, with the name under which `secrets.test.ts` plants it, or why it is none. */
const SECRET_RESPONSE_FIELDS: Readonly<Record<string, string>> = {
  hasPassword: 'says only whether there is one',
  link: 'has the token of a password link',
  recoveryCodes: 'a recovery code',
  secret: 'an API key, the secret of an authenticator app, and that of a webhook',
  token: 'the token of an invitation, and of a second step',
  totp: 'says only since when there is one',
}

test('every field of a response that is named like a secret is planted', async () => {
  const document = await standalonePortalDocument({
    publicUrl: new URL(PUBLIC_URL),
    legacyPrefix: LEGACY_PREFIX,
  })
  const names = new Set<string>()
  JSON.stringify((document as { paths: object }).paths, (key, value) => {
    if (key === 'requestBody') return undefined
    if (value?.properties) for (const name of Object.keys(value.properties)) names.add(name)
    return value
  })
  const found = [...names].filter((name) => SECRET_FIELD.test(name)).sort()
  expect(found, 'use it in useEverySecret of secrets.test.ts and add it here').toEqual(
    Object.keys(SECRET_RESPONSE_FIELDS).sort(),
  )
})
