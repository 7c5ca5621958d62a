import { type AppContext, hasAccounts, identifySession, type Rule, sessionCookieName } from '@reeve/auth'
import { AppError } from '@reeve/core'
import { ASSET_PATH, type Face, pageAddresses } from '@reeve/portal/addresses'
import type { BuiltFile, entry } from '@reeve/portal/files'
import { Elysia } from 'elysia'
import { type Asset, answerAsset, asPage, prepared } from './asset.ts'
import { newNonce, portalPage, portalPolicy } from './portal/page.ts'

const open: Rule = { who: 'anyone', permission: null, workspace: 'none' }

interface Built {
  readonly assets: readonly Asset[]
  readonly entry: typeof entry
}

/** The staff's side of Reeve: its page at every address that it answers for, and its files. */
export const portal = (app: AppContext) => {
  const cookieName = sessionCookieName(app.settings.publicUrl)
  let built: Promise<Built> | null = null
  const builtOnce = () => {
    built ??= load()
    return built
  }

  const plugin = new Elysia({ name: 'portal', tags: ['Portal'], normalize: false })
    .use(app.auth)
    .get(
      `${ASSET_PATH}/:file`,
      async ({ params, request, set }) => answerAsset((await builtOnce()).assets, { params, request, set }),
      { permission: open, detail: { summary: 'The files of the portal', hide: true } },
    )
  for (const address of pageAddresses) {
    plugin.get(
      address,
      async ({ cookie, set }) => {
        const token = String(cookie[cookieName] ?? '')
        const [face, { entry }] = await Promise.all([faceFor(app, token), builtOnce()])
        const nonce = newNonce()
        asPage(set, portalPolicy(nonce), 'no-store')
        return portalPage(face, nonce, entry)
      },
      { permission: open, detail: { summary: 'The portal', hide: true } },
    )
  }
  return plugin
}

/** Loaded when it is first asked for: a server that only answers calls never pays for it. */
async function load(): Promise<Built> {
  const { files, entry } = await import('@reeve/portal/files').catch(() => {
    throw new AppError('unavailable', {
      message: 'The portal is not built: run `bun run build`, and start Reeve again.',
    })
  })
  return { assets: files.map((file: BuiltFile) => prepared(file)), entry }
}

/** What the page shows first, so that nothing on it has to jump once its script knows. */
async function faceFor({ db, ports }: AppContext, token: string): Promise<Face> {
  if (!(await hasAccounts(db.read))) return 'first-run'
  if (token === '') return 'sign-in'
  try {
    await identifySession(db, ports, token)
    return 'signed-in'
  } catch (error) {
    if (error instanceof AppError && error.code === 'unauthorized') return 'sign-in'
    throw error
  }
}
