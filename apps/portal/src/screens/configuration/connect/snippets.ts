/** The name of the secret of the experience, which the script reads. */
export const SECRET_NAME = 'reeve'

/** The script that starts the client, in a script of the server. URL and workspace are in the model. */
export const ROBLOX_SCRIPT = `local HttpService = game:GetService("HttpService")
local ServerScriptService = game:GetService("ServerScriptService")
local Reeve = require(ServerScriptService.Reeve)

Reeve.start({ key = HttpService:GetSecret("${SECRET_NAME}") })
`

/** The path of the model for Roblox Studio. */
export const buildModelPath = (workspaceId: string): string =>
  `/clients/reeve.rbxmx?${new URLSearchParams({ workspaceId })}`

/** A program that checks a player with the TypeScript client. The key is in an environment variable. */
export const buildTypeScript = (origin: string, workspaceId: string): string =>
  `import { Reeve } from '@reeve/client'

const reeve = new Reeve({
  url: '${origin}',
  workspaceId: '${workspaceId}',
  key: process.env.REEVE_KEY ?? '',
})
console.log(await reeve.moderation.findBan('261'))
`
