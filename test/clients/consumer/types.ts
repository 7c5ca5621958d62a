// Compiled in a plain project that has installed the package: what compiles, and what must not.
import { type ModerationRecord, NotFoundError, Reeve, ReeveError, verifyWebhook } from '@reeve/client'

const reeve = new Reeve({ url: 'https://reeve.example.com', key: 'rve_…', workspaceId: undefined })

export async function use(signal: AbortSignal): Promise<string | null> {
  const record: ModerationRecord = await reeve.moderation.ban(
    { userId: 261, reason: 'Exploiting', severity: 'critical', durationSeconds: undefined },
    { signal, idempotencyKey: 'x' },
  )
  await reeve.departments.update({ id: 'x', color: null })
  await reeve.moderation.listRecords({ userId: ['1', 2, 3n], action: ['ban', 'mute'], from: new Date() })
  await reeve.roles.setPermissions({ roleId: 'x', permissions: ['moderation.view'] })
  const { data } = await reeve.http.GET('/api/departments', { params: { query: { workspaceId: 'x' } } })
  const { type, data: content } = await verifyWebhook<{ userId: string }>(new Headers(), new Uint8Array(), [
    'whsec_a',
  ])
  if (type === 'member.joined') console.log(content.userId)

  await reeve.appeals.submit({ code: '7K3M9-Q9TX2', message: 'x', answers: ['I cheated.', ''] })
  await reeve.batches.start({ action: 'ban', userIds: [1, '2', 3n], reason: 'Raid' })
  await reeve.batches.start({ templateId: 'x', userIds: [1, 2] })
  await reeve.batches.preview({ templateId: 'x', userIds: [1, 2] })
  await reeve.batches.preview({ action: 'undo', actorUserId: 'x', since: new Date(), reason: 'Raid' })
  await reeve.moderation.unban({ userId: 261, reason: undefined })
  await reeve.moderation.unmute({ id: 'x', reason: 'Appeal accepted' })
  await reeve.moderation.unban({ userId: 261, id: 'x' })
  const { bans, linkedTo } = await reeve.moderation.listBans({ userId: 261, links: true })
  const { approval } = await reeve.moderation.act({ userId: 261, templateId: 'x' })
  console.log(bans[0]?.caseNumber, linkedTo?.[0]?.ban?.caseNumber, approval?.expiresAt)

  // @ts-expect-error: not an event
  if (type === 'member.join') console.log(type)
  // @ts-expect-error: not a confidence
  await reeve.links.create({ userId: 1, linkedUserId: 2, confidence: 'certain', reason: 'x' })
  // @ts-expect-error: a step needs an action
  await reeve.ladders.create({ name: 'x', steps: [{ count: 1 }] })
  // @ts-expect-error: what is lifted has to be named
  await reeve.moderation.unban({ reason: 'x' })
  // @ts-expect-error: a batch needs an action or a template
  await reeve.batches.start({ userIds: [1], reason: 'x' })
  // @ts-expect-error: a ban needs a reason
  await reeve.moderation.ban({ userId: 261 })
  // @ts-expect-error: a misspelled field
  await reeve.moderation.ban({ userID: 261, reason: 'x' })
  // @ts-expect-error: not a severity
  await reeve.moderation.warn({ userId: 261, reason: 'x', severity: 'extreme' })
  // @ts-expect-error: a name cannot be cleared
  await reeve.departments.update({ id: 'x', name: null })
  // @ts-expect-error: not an operation
  await reeve.http.GET('/api/nothing')
  // @ts-expect-error: a department has no such field
  console.log(data?.departments[0].rank, type)

  return record.expiresAt
}

export function describe(error: unknown): string {
  if (error instanceof NotFoundError) return error.code satisfies 'not_found'
  // Still a `ReeveError` here: the classes are not interchangeable.
  return error instanceof ReeveError ? `${error.status} ${error.requestId}` : 'another error'
}
