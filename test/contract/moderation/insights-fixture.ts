import type { Instance } from '../../support/instance.ts'
import type { ModerationFixture } from './fixture.ts'

/** The counts of a day, a moderator or a reason without cases. */
export const EMPTY = { bans: '0', mutes: '0', warnings: '0', kicks: '0', lifted: '0', appealed: '0' }

/** Reads the insights of a workspace. */
export const createInsightsReader =
  (getInstance: () => Instance) =>
  async ({ id, key }: ModerationFixture, query: Record<string, string> = {}) => {
    const path = `/api/moderation/insights?${new URLSearchParams({ workspaceId: id, ...query })}`
    const response = await getInstance().request('GET', path, { key })
    if (response.status !== 200) throw new Error(response.text)
    return response.body
  }
