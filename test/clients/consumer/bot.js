// What the installed package does in every runtime.
import {
  AlreadyAppealedError,
  ConflictError,
  NotFoundError,
  Reeve,
  ReeveError,
  verifyWebhook,
} from '@reeve/client'

/** Uses an instance. @returns what it has done */
export async function runBot({ REEVE_URL: url, REEVE_KEY: key, REEVE_WORKSPACE: workspaceId }) {
  const reeve = new Reeve({ url, key, workspaceId })

  const ban = await reeve.moderation.ban({
    userId: 261n,
    userUsername: 'Shedletsky',
    reason: 'Exploiting',
    durationSeconds: 86_400,
    evidence: ['https://example.com/clip.mp4', 'Seen by two of us.'],
  })
  const found = await reeve.moderation.findBan(261)
  const none = await reeve.moderation.findBan('156')
  await reeve.moderation.unban({ userId: 261, reason: 'Appeal accepted' })
  const conflict = await reeve.moderation.unban({ userId: 261 }).catch((error) => error)

  const training = await reeve.events.create({
    title: 'Cadet training',
    scheduledFor: new Date('2026-03-01T18:00:00Z'),
    eventType: 'training',
    published: true,
  })
  for (const name of ['Support', 'Events', 'Moderation']) await reeve.departments.create({ name })
  const departments = []
  for await (const { name } of reeve.departments.listAll({ limit: 1 })) departments.push(name)
  await reeve.departments.delete({ id: (await reeve.departments.list()).departments[0].id })
  const { roles } = await reeve.roles.list()

  const ladder = await reeve.ladders.create({
    name: 'Cheating',
    windowDays: 90,
    steps: [
      { count: 1, action: 'mute', durationSeconds: 3600, decayDays: 30 },
      { count: 2, action: 'ban', durationSeconds: null },
    ],
  })
  const template = await reeve.templates.create({
    name: 'Exploiting',
    publicReason: 'You used an exploit.',
    defaultSeverity: 'high',
    appealable: false,
    appealAfterDays: 7,
    ladderId: ladder.id,
  })
  const choice = { userId: 156, templateId: template.id }
  const first = await reeve.moderation.preview(choice)
  const muted = await reeve.moderation.act(choice)
  const second = await reeve.moderation.preview(choice)
  const { versions } = await reeve.templates.get({ id: template.id })
  const ordered = await reeve.templates.order({ ids: [template.id] })
  const link = await reeve.links.create({
    userId: 156,
    linkedUserId: 261n,
    confidence: 'high',
    reason: 'Same voice',
  })
  const links = []
  for await (const { id } of reeve.links.listAll({ limit: 1 })) links.push(id)
  const many = { action: 'warn', userIds: [156, '261'], reason: 'Language' }
  const dryRun = await reeve.batches.preview(many)
  const { batches } = await reeve.batches.list()
  const batch = await reeve.batches.start(many)
  const { approvals } = await reeve.approvals.list({ state: 'pending' })
  const { totals } = await reeve.insights.read({ from: new Date() })

  let report = () => {}
  const reported = new Promise((resolve) => {
    report = resolve
  })
  const follower = reeve.follow({ onChange: report })
  await follower.ready
  const wasBanned = follower.isBanned(4416)
  await reeve.moderation.ban({ userId: 4416, reason: 'Exploiting' })
  const { op, userId } = await reported
  const followed = [wasBanned, op, userId, follower.isBanned(4416), follower.status]
  follower.stop()
  const { bans } = await reeve.check([4416, 156])

  const { appealCode: code, message } = await reeve.moderation.ban({ userId: 2610, reason: 'Spamming' })
  const before = await reeve.appeals.get({ code: code.toLowerCase().replace('-', ' ') })
  const submitted = await reeve.appeals.submit({ code, message: 'It was my brother.' })
  const again = await reeve.appeals.submit({ code, message: 'Again' }).catch((error) => error)
  const replied = await reeve.appeals.reply({ code, message: 'He is sorry.' })
  const withFile = await reeve.appeals.sendFile({ code, name: 'chat.log', data: btoa('He says sorry.') })
  const read = await reeve.appeals.get({ code })
  const withdrawn = await reeve.appeals.withdraw({ code })
  const unknown = await reeve.appeals.get({ code: '00000-00000' }).catch((error) => error)
  const appeal = {
    message: message.includes(code),
    before: [before.canAppeal, before.appeal],
    submitted: submitted.appeal.state,
    again: again instanceof AlreadyAppealedError,
    replied: replied.appeal.messages.map(({ text }) => text),
    withFile: withFile.appeal.files.map(({ name }) => name),
    read: read.appeal.messages.length,
    withdrawn: withdrawn.appeal.state,
    unknown: unknown instanceof NotFoundError,
  }

  const webhook = await verifyWebhook(
    {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    },
    '{"test": 2432232314}',
    'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    { tolerance: Number.POSITIVE_INFINITY },
  )

  return {
    ban: [ban.userId, ban.durationSeconds, ban.evidence.length],
    found: found.id === ban.id,
    none,
    conflict: [conflict instanceof ConflictError, conflict instanceof ReeveError, conflict.status],
    training: [training.scheduledFor, training.published],
    departments,
    afterDelete: (await reeve.departments.list()).departments.length,
    roles: roles.length > 0,
    ladder: [first.action, first.durationSeconds, second.action, second.durationSeconds],
    acted: [muted.action, muted.reason, muted.durationSeconds],
    template: [template.appealable, versions.length, ordered.map(({ id }) => id === template.id)],
    links: links.map((id) => id === link.id),
    batch: [dryRun.total, dryRun.succeeded, batches.length, batch.total],
    approvals,
    mutes: totals.mutes,
    followed,
    checked: bans.map((one) => one.userId),
    webhook: webhook.id,
    appeal,
  }
}
