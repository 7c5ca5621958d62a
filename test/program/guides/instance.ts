import { expect } from 'bun:test'
import { readAuthenticator } from '../../support/totp.ts'
import { type Machine, PASSWORD } from './machine.ts'

/** Requests that show the effect of commands on the instance of a machine. */
export function createInstanceClient(machine: Machine) {
  let credentials = { workspaceId: '', apiKey: '' }

  // biome-ignore lint/suspicious/noExplicitAny: the tests read bodies of different shapes
  async function request(path: string, body?: object): Promise<any> {
    const response = await fetch(`${machine.getService().url}${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${credentials.apiKey}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await response.text()
    expect([path, response.status, text]).toEqual([path, 200, expect.anything()])
    return JSON.parse(text)
  }

  /** Signs in with the password of the first account, as a browser does. */
  async function signIn() {
    let cookie = ''
    // biome-ignore lint/suspicious/noExplicitAny: the tests read bodies of different shapes
    const post = async (path: string, body?: object): Promise<any> => {
      const response = await fetch(`${machine.getService().url}${path}`, {
        method: 'POST',
        headers: { cookie, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' },
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
      const cookies = response.headers.getSetCookie().map((text) => text.split(';')[0])
      if (cookies.length > 0) cookie = cookies.join('; ')
      const text = await response.text()
      expect([path, response.status, text]).toEqual([path, 200, expect.anything()])
      return JSON.parse(text)
    }
    return { body: await post('/portal/api/sign-in', { username: 'robin', password: PASSWORD }), post }
  }

  return {
    /** Reads the ID of the workspace and the API key from what `reeve init` prints. */
    readCredentials(output: string): void {
      const read = (pattern: RegExp) => pattern.exec(output)?.[1] ?? `${pattern} is not in ${output}`
      credentials = { workspaceId: read(/workspace +(\S+)/), apiKey: read(/API key +(\S+)/) }
    },
    getWorkspaceId: () => credentials.workspaceId,
    async ban(userId: string): Promise<void> {
      const { workspaceId } = credentials
      await request('/api/moderation', { workspaceId, action: 'ban', userId, reason: 'Exploiting' })
    },
    async listBans(): Promise<string[]> {
      const { bans } = await request(`/api/moderation?workspaceId=${credentials.workspaceId}&banList=true`)
      return bans.map(({ userId }: { userId: string }) => userId).sort()
    },
    /** Adds an authenticator app to the first account. */
    async addSecondFactor(): Promise<void> {
      const { post } = await signIn()
      const { token, secret } = await post('/portal/api/factors/totp')
      await post('/portal/api/factors/totp/confirm', { token, code: readAuthenticator(secret, Date.now()) })
    },
    /** Whether the password of the first account is enough to sign in. */
    needsNoSecondFactor: async (): Promise<boolean> => (await signIn()).body.secondFactor === null,
    /** Starts to archive the workspace. @returns the ID of the job */
    async startArchive(): Promise<string> {
      const { job } = await request('/api/workspaces', { id: credentials.workspaceId, archive: 'true' })
      return job.id
    },
  }
}
