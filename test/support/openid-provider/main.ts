import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'

/** Prints the issuer, and reads one redirect URL per line for its only client. Every login is accepted with any password. */

const [clientId = '', clientSecret = ''] = process.argv.slice(2)
const redirectUris: string[] = []

/** Keeps everything in memory. The client is read anew each time, because its redirect URL is known late. */
const stored = new Map<string, unknown>()
class MemoryAdapter {
  readonly model: string
  constructor(model: string) {
    this.model = model
  }
  private key = (id: string): string => `${this.model}:${id}`
  async upsert(id: string, payload: object) {
    stored.set(this.key(id), payload)
  }
  async find(id: string) {
    if (this.model !== 'Client') return stored.get(this.key(id))
    return {
      client_id: clientId,
      client_secret: clientSecret,
      redirect_uris: redirectUris,
      token_endpoint_auth_method: 'client_secret_post',
    }
  }
  async findByUid(uid: string) {
    return [...stored.values()].find((payload) => (payload as { uid?: string }).uid === uid)
  }
  async findByUserCode() {}
  async consume(id: string) {
    Object.assign(stored.get(this.key(id)) as object, { consumed: Math.floor(Date.now() / 1000) })
  }
  async destroy(id: string) {
    stored.delete(this.key(id))
  }
  async revokeByGrantId() {}
}

const server = createServer()
server.listen(0, '127.0.0.1', () => {
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = new Provider(issuer, {
    adapter: MemoryAdapter,
    claims: { openid: ['sub'], profile: ['name', 'preferred_username'] },
    cookies: { keys: ['not a secret, because this is a test'] },
    findAccount: (_: unknown, id: string) => ({
      accountId: id,
      claims: () => ({ sub: id, name: id, preferred_username: id }),
    }),
  })
  server.on('request', provider.callback())
  console.log(JSON.stringify({ issuer }))
})

for await (const line of console) {
  redirectUris.push(line)
  console.log('registered')
}
