import { findMembershipPermissions, isWorkspaceOpenTo } from '@reeve/auth'
import { type Actor, hasPermission, type ImageName, type Ports, toImagePath } from '@reeve/core'
import { type Queries, statement } from '@reeve/db'

const publishedEventByImage = statement<{ imageUrl: string }>({ isLookup: true })((sql, p) =>
  sql
    .selectFrom('event')
    .select('id')
    .where('image_url', '=', p.imageUrl)
    // A literal, because the index has only these rows.
    .where('published', '=', (eb) => eb.lit(1))
    .limit(1),
)
const eventByImage = statement<{ workspaceId: string; imageUrl: string }>({ isLookup: true })((sql, p) =>
  sql
    .selectFrom('event')
    .select('id')
    .where('workspace_id', '=', p.workspaceId)
    .where('image_url', '=', p.imageUrl)
    .limit(1),
)
/** The workspaces of an account in which an event has an image. */
const workspacesByImage = statement<{ accountId: string; imageUrl: string }>()((sql, p) =>
  sql
    .selectFrom('member')
    .select('workspace_id')
    .where('account_id', '=', p.accountId)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('event')
          .select('event.id')
          .whereRef('event.workspace_id', '=', 'member.workspace_id')
          .where('event.image_url', '=', p.imageUrl),
      ),
    )
    .orderBy('workspace_id'),
)

/** Who may see an image. */
export type ImageAudience = 'everyone' | 'caller' | 'nobody'

/**
 * Everyone may see the image of a published event; the image of a draft, who may see the draft. An image that no event has may be
 * seen by nobody: it is deleted soon.
 */
export async function findImageAudience(
  db: Queries,
  ports: Ports,
  actor: Actor,
  image: ImageName,
): Promise<ImageAudience> {
  const imageUrl = toImagePath(image)
  if (await db.first(publishedEventByImage, { imageUrl })) return 'everyone'
  return (await canSeeDraft(db, ports, actor, imageUrl)) ? 'caller' : 'nobody'
}

async function canSeeDraft(db: Queries, ports: Ports, actor: Actor, imageUrl: string): Promise<boolean> {
  if (actor.kind === 'system') return false
  if (actor.kind === 'api_key') {
    if (!hasPermission(actor, 'events.manage')) return false
    return (await db.first(eventByImage, { workspaceId: actor.workspaceId, imageUrl })) !== undefined
  }
  for (const { workspace_id } of await db.all(workspacesByImage, { accountId: actor.id, imageUrl })) {
    const membership = await findMembershipPermissions(db, workspace_id, actor.id)
    if (!membership?.permissions.has('events.manage')) continue
    if (await isWorkspaceOpenTo(db, membership, actor.sessionId, ports.now())) return true
  }
  return false
}
