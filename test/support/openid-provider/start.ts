import { join } from 'node:path'
import { TEST_CLIENT } from '../oauth-stand-in.ts'

/** Starts `oidc-provider`, an independent implementation of OpenID Connect, in a process of its own. */
export async function startOpenIdProvider() {
  const child = Bun.spawn(
    [process.execPath, join(import.meta.dir, 'main.ts'), TEST_CLIENT.id, TEST_CLIENT.secret],
    { stdin: 'pipe', stdout: 'pipe', stderr: 'ignore' },
  )
  const reader = child.stdout.getReader()
  const { value } = await reader.read()
  const { issuer } = JSON.parse(new TextDecoder().decode(value)) as { issuer: string }
  return {
    issuer,
    env: {
      REEVE_OIDC_COMPANY_ISSUER: issuer,
      REEVE_OIDC_COMPANY_CLIENT_ID: TEST_CLIENT.id,
      REEVE_OIDC_COMPANY_CLIENT_SECRET: TEST_CLIENT.secret,
    },
    /** Registers the redirect URL of an instance. @param origin the URL of the instance */
    async register(origin: string) {
      child.stdin.write(`${origin}/sign-in/company/callback\n`)
      await child.stdin.flush()
      await reader.read()
    },
    async stop() {
      child.kill()
      await child.exited
    },
  }
}
