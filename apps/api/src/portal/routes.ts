import { type AppContext, authenticateSession, hasAccounts, publicRoute, readSessionToken } from '@reeve/auth'
import { hasErrorCode } from '@reeve/core'
import { ASSET_PATH, type InitialAuthState, pagePaths } from '@reeve/portal/paths'
import { Elysia } from 'elysia'
import { serveAsset, setPageHeaders } from '../asset.ts'
import { loadBuild } from './build.ts'
import { createNonce, portalPage, portalPolicy } from './page.ts'

/** Serves the portal: its page at every path that it routes, and its assets. */
export const portal = (app: AppContext) => {
  const plugin = new Elysia({ name: 'portal', tags: ['Portal'], normalize: false })
    .use(app.auth)
    .get(
      `${ASSET_PATH}/:file`,
      async ({ params, request, set }) => serveAsset((await loadBuild()).assets, { params, request, set }),
      { permission: publicRoute, detail: { summary: 'The files of the portal', hide: true } },
    )
  for (const path of pagePaths) {
    plugin.get(
      path,
      async ({ request, set }) => {
        const token = readSessionToken(request, app.settings.publicUrl)
        const [authState, { entry }] = await Promise.all([resolveAuthState(app, token), loadBuild()])
        const nonce = createNonce()
        setPageHeaders(set, portalPolicy(nonce, entry.inlineScript), 'no-store')
        return portalPage({
          providers: app.settings.oidcProviders,
          sendsMail: app.settings.sendsMail,
          authState,
          url: new URL(request.url),
          nonce,
          entry,
        })
      },
      { permission: publicRoute, detail: { summary: 'The portal', hide: true } },
    )
  }
  return plugin
}

/** Which page to show first, so that the layout does not shift when the script has loaded. */
async function resolveAuthState({ db, ports }: AppContext, token: string | null): Promise<InitialAuthState> {
  if (!(await hasAccounts(db.read))) return 'first-run'
  if (token === null) return 'sign-in'
  try {
    await authenticateSession(db, ports, token)
    return 'signed-in'
  } catch (error) {
    if (hasErrorCode(error, 'unauthorized')) return 'sign-in'
    throw error
  }
}
