import {
  type AppContext,
  authenticateSession,
  getSessionCookieName,
  hasAccounts,
  type Rule,
} from '@reeve/auth'
import { AppError } from '@reeve/core'
import type { BuiltFile, entry } from '@reeve/portal/files'
import { ASSET_PATH, type InitialAuthState, pagePaths } from '@reeve/portal/paths'
import { Elysia } from 'elysia'
import { type Asset, serveAsset, setPageHeaders, toAsset } from '../asset.ts'
import { createNonce, portalPage, portalPolicy } from './page.ts'

const publicRule: Rule = { caller: 'anyone', permission: null, workspace: 'none' }

interface PortalBuild {
  readonly assets: readonly Asset[]
  readonly entry: typeof entry
}

/** The staff's side of Reeve: its page at every address that it answers for, and its files. */
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
      { permission: publicRule, detail: { summary: 'The files of the portal', hide: true } },
    )
  for (const path of pagePaths) {
    plugin.get(
      path,
      async ({ cookie, set }) => {
        const token = String(cookie[cookieName] ?? '')
        const [authState, { entry }] = await Promise.all([resolveAuthState(app, token), loadOnce()])
        const nonce = createNonce()
        setPageHeaders(set, portalPolicy(nonce), 'no-store')
        return portalPage(authState, nonce, entry)
      },
      { permission: publicRule, detail: { summary: 'The portal', hide: true } },
    )
  }
  return plugin
}

/** Loaded when it is first asked for: a server that only answers calls never pays for it. */
async function load(): Promise<PortalBuild> {
  const { files, entry } = await import('@reeve/portal/files').catch(() => {
    throw new AppError('unavailable', {
      message: 'The portal is not built: run `bun run build`, and start Reeve again.',
    })
  })
  return { assets: files.map((file: BuiltFile) => toAsset(file)), entry }
}

/** What the page shows first, so that nothing on it has to jump once its script knows. */
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
