import { useSession } from '../support/e2e-session.ts'
import {
  type Fault,
  type GameServer,
  type SentRequest,
  startGameServer,
} from '../support/roblox/game-server.ts'
import { limitRole } from '../support/role-limits.ts'
import { startTestServer } from '../support/server.ts'

/** The permissions of the presets for game servers, and the one that lifts bans. */
const PERMISSIONS = [
  ...['moderation.view', 'moderation.note', 'moderation.warn', 'moderation.mute', 'moderation.kick'],
  ...['moderation.ban', 'moderation.unban', 'appeals.submit'],
]

/** A player in the game, in Luau. */
export const findPlayer = (userId: number) => `game:GetService("Players"):GetPlayerByUserId(${userId})`

/** A real Reeve with a workspace, whose bans the games of the test check. */
export async function openRobloxFixture() {
  const server = await startTestServer()
  const { session, workspaceId } = await server.setUp()
  const { body } = await server.requestOk('POST', '/portal/api/api-keys', {
    session,
    body: { workspaceId, name: 'Game', permissions: JSON.stringify(PERMISSIONS) },
  })
  const games: GameServer[] = []
  let nextUserId = 1000
  const createUserId = (): number => ++nextUserId

  /** Does something in the portal. @returns the record */
  async function moderate(action: string, userId: number | string, fields: object = {}) {
    const response = await server.requestOk('POST', '/api/moderation', {
      session,
      body: { workspaceId, action, userId: String(userId), reason: 'Exploiting', ...fields },
    })
    return response.body.record
  }

  /** Starts a game server that has the model of the portal. @param config further fields of the configuration, in Luau */
  async function openGame(
    config = '',
    fault?: (request: SentRequest) => Fault | undefined,
    clockOffset = 0,
  ): Promise<GameServer> {
    const game = await startGameServer({ key: String(body.secret), fault, clockOffset })
    games.push(game)
    await game.addModelValue('Url', server.origin)
    await game.addModelValue('WorkspaceId', workspaceId)
    await game.run(`
      local Reeve = require(game.ServerScriptService.Reeve)
      reeve = Reeve.start({ key = game:GetService("HttpService"):GetSecret("reeve"), ${config} })
    `)
    return game
  }

  return {
    server,
    session,
    workspaceId,
    key: String(body.secret),
    moderate,
    /** Changes the default platform of the workspace. */
    setPlatform: (defaultPlatform: string) =>
      server.requestOk('PATCH', '/portal/api/workspace', { session, body: { workspaceId, defaultPlatform } }),
    /** Creates a template, with a ladder of these steps. @returns its ID */
    async createTemplate(publicReason: string, steps: readonly object[]): Promise<string> {
      const create = async (path: string, fields: object) =>
        (
          await server.requestOk('POST', `/api/moderation/${path}`, {
            session,
            body: { workspaceId, name: publicReason, ...fields },
          })
        ).body
      const { ladder } = await create('ladders', { steps: JSON.stringify(steps) })
      return (await create('templates', { publicReason, ladderId: ladder.id })).template.id
    },
    /** Creates a key of a member whose permanent bans need approval. @returns its secret */
    async createLimitedKey(): Promise<string> {
      const owner = { workspaceId, session }
      const permissions = ['moderation.view', 'moderation.ban', 'api_keys.manage'] as const
      const member = await server.createMember(owner, 'trainee', permissions)
      await limitRole(server, owner, 'Role of trainee', { permanentBansNeedApproval: 'true' })
      const response = await server.requestOk('POST', '/portal/api/api-keys', {
        session: member,
        body: { workspaceId, name: 'Limited', permissions: 'moderation.view,moderation.ban' },
      })
      return String(response.body.secret)
    },
    /** The ID of a player nobody has dealt with. */
    createUserId,
    /** The records of a player, newest first. */
    async listRecords(userId: number | string) {
      const path = `/api/moderation?workspaceId=${workspaceId}&userId=${userId}`
      return (await server.requestOk('GET', path, { session })).body.records
    },
    openGame,
    /** Starts a game server with a player in it. @param clockOffset by how many seconds the clock of its machine is ahead */
    async openGameWithPlayer(clockOffset = 0) {
      const game = await openGame('', undefined, clockOffset)
      const userId = createUserId()
      await game.join(userId, 'Builderman')
      await game.advance(1)
      return { game, userId, player: findPlayer(userId) }
    },
    /** Ends the games of a test. */
    async resetTest(): Promise<void> {
      for (const game of games.splice(0)) game.close()
    },
    close: () => server.close(),
  }
}

export type RobloxFixture = Awaited<ReturnType<typeof openRobloxFixture>>

/** Opens the fixture for all tests of a file, as `useSession` does. */
export const useRobloxFixture = (): RobloxFixture => useSession(openRobloxFixture)

export const isPoll = ({ url }: SentRequest): boolean => url.pathname.startsWith('/api/changes')
export const isCheck = ({ url }: SentRequest): boolean => url.pathname === '/api/moderation/check'

/** When the requests that match were sent, by the clock of the game. */
export const listTimes = (game: GameServer, matches: (request: SentRequest) => boolean): number[] =>
  game.requests.filter(matches).map(({ at }) => at)

/** The largest number of requests in any minute. */
export function findBusiestMinute({ requests }: GameServer): number {
  const times = requests.map(({ at }) => at)
  return Math.max(...times.map((start) => times.filter((at) => at >= start && at < start + 60).length))
}

/** Whether a player is in the game. */
export const isPlaying = async (game: GameServer, userId: number): Promise<boolean> =>
  (await game.read(`${findPlayer(userId)} ~= nil`)) === 'true'
