import { type AppContext, toIpNetwork } from '@reeve/auth'
import {
  type Actor,
  AppError,
  IMAGE_PATH_PREFIX,
  type ImageExtension,
  type ImageStore,
  matchesIfNoneMatch,
  type Ports,
  parseImageName,
} from '@reeve/core'
import { type MediaTable, type Queries, statement } from '@reeve/db'
import { errorResponses } from '@reeve/http'
import { RateLimiter } from '@reeve/metering'
import { Elysia } from 'elysia'
import { findImageAudience, type ImageAudience } from './visibility.ts'

const imageByName = statement<{ hash: string; extension: string }>()((sql, p) =>
  sql.selectFrom('media').selectAll().where('hash', '=', p.hash).where('extension', '=', p.extension),
)

/** Headers that make a browser treat the content only as an image of its declared type. */
const IMAGE_HEADERS = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  // Browsers refuse to show a sandboxed document that has a policy for its opener.
  'cross-origin-opener-policy': 'unsafe-none',
  'content-disposition': 'inline',
}

const AUDIENCE_HEADERS = {
  everyone: {
    // The file name is a hash of the content, so the content never changes.
    'cache-control': 'public, max-age=31536000, immutable',
    // Websites and chat programs show the images of events.
    'cross-origin-resource-policy': 'cross-origin',
  },
  caller: {
    // The browser asks again each time, because the access can end.
    'cache-control': 'private, no-cache',
    'cross-origin-resource-policy': 'same-origin',
  },
} as const satisfies Readonly<Record<Exclude<ImageAudience, 'nobody'>, object>>

/** Finds an image by its file name, and the headers for those who may see it. @throws AppError `not_found`, also if the caller may not see it */
async function requireImage(db: Queries, ports: Ports, actor: Actor, file: string) {
  const name = parseImageName(file)
  const audience = name ? await findImageAudience(db, ports, actor, name) : 'nobody'
  const image = name && audience !== 'nobody' ? await db.first(imageByName, name) : undefined
  if (!image || audience === 'nobody') throw new AppError('not_found', { message: 'There is no such image.' })
  return { image, audienceHeaders: AUDIENCE_HEADERS[audience] }
}

const readImageBytes = async (
  images: ImageStore,
  { hash, extension, bytes }: MediaTable,
): Promise<Uint8Array> => bytes ?? images.load({ hash, extension: extension as ImageExtension })

/** `/media/<sha256>.<ext>`: the stored images; those of published events without authentication. */
export const imageRoutes = (app: AppContext) => {
  const { db, images, ports, settings } = app
  const limiter = new RateLimiter(null)

  return new Elysia({ name: 'images', tags: ['Media'], normalize: false }).use(app.auth).get(
    `${IMAGE_PATH_PREFIX}:file`,
    async ({ params, request, actor }) => {
      limiter.consume(toIpNetwork(actor.ip), 'image', settings.imageRatePerMinute, ports.now())
      const { image, audienceHeaders } = await requireImage(db.read, ports, actor, params.file)
      const headers = {
        ...IMAGE_HEADERS,
        ...audienceHeaders,
        'content-type': image.content_type,
        etag: `"${image.hash}"`,
      }
      return matchesIfNoneMatch(request, headers.etag)
        ? new Response(null, { status: 304, headers })
        : new Response((await readImageBytes(images, image)) as Uint8Array<ArrayBuffer>, { headers })
    },
    {
      permission: { caller: 'anyone', permission: null, workspace: 'none', recognizesCaller: true },
      response: errorResponses('not_found'),
      detail: { summary: 'Return an image by the SHA-256 of its content' },
    },
  )
}
