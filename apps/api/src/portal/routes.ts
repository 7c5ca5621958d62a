import {
  type AppContext,
  authenticateSession,
  getSessionCookieName,
  hasAccounts,
  publicRoute,
} from '@reeve/auth'
import { AppError } from '@reeve/core'
import type { BuiltFile, entry } from '@reeve/portal/files'
import { ASSET_PATH, type InitialAuthState, pagePaths } from '@reeve/portal/paths'
import { Elysia } from 'elysia'
import { type Asset, serveAsset, setPageHeaders, toAsset } from '../asset.ts'
import { createNonce, portalPage, portalPolicy } from './page.ts'

interface PortalBuild {
  readonly assets: readonly Asset[]
  readonly entry: typeof entry
}

/** Serves the portal: its page at every path that it routes, and its assets. */
export const portal = (app: AppContext) => {
  const cookieName = getSessionCookieName(app.settings.publicUrl)
  let build: Promise<PortalBuild> | null = null
  const loadOnce = () => {
    build ??= load()
    return build
  }

  const plugin = new Elysia({ name: 'portal', tags: ['Portal'], normalize: false })
    .use(app.auth)
    .get(
      `${ASSET_PATH}/:file`,
      async ({ params, request, set }) => serveAsset((await loadOnce()).assets, { params, request, set }),
      { permission: publicRoute, detail: { summary: 'The files of the portal', hide: true } },
    )
  for (const path of pagePaths) {
    plugin.get(
      path,
      async ({ cookie, request, set }) => {
        const token = String(cookie[cookieName] ?? '')
        const [authState, { entry }] = await Promise.all([resolveAuthState(app, token), loadOnce()])
        const nonce = createNonce()
        setPageHeaders(set, portalPolicy(nonce, entry.inlineScript), 'no-store')
        return portalPage({ authState, path: new URL(request.url).pathname, nonce, entry })
      },
      { permission: publicRoute, detail: { summary: 'The portal', hide: true } },
    )
  }
  return plugin
}

/** Loads the portal's files on first use, so that a server that serves only the API does not pay for them. */
async function load(): Promise<PortalBuild> {
  const { files, entry } = await import('@reeve/portal/files').catch(() => {
    throw new AppError('unavailable', {
      message: 'The portal is not built. Run `bun run build` and restart Reeve.',
    })
  })
  return { assets: files.map((file: BuiltFile) => toAsset(file)), entry }
}

/** Which page to show first, so that the layout does not shift when the script has loaded. */
async function resolveAuthState({ db, ports }: AppContext, token: string): Promise<InitialAuthState> {
  if (!(await hasAccounts(db.read))) return 'first-run'
  if (token === '') return 'sign-in'
  try {
    await authenticateSession(db, ports, token)
    return 'signed-in'
  } catch (error) {
    if (error instanceof AppError && error.code === 'unauthorized') return 'sign-in'
    throw error
  }
}
