import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { permissions } from '@reeve/core'
import { requestApproval } from '../../support/approvals.ts'
import { type Instance, openInstance } from '../../support/instance.ts'
import { readLastJob, runJobUntil } from '../../support/workspace-jobs.ts'
import { findChanged, NAME, openWorkspace, readStoredRows, runBlankingJob } from './blank-name-fixture.ts'

setDefaultTimeout(60_000)

let instance: Instance
beforeEach(async () => {
  instance = await openInstance()
})
afterEach(async () => {
  expect(instance.unexpectedErrors).toEqual([])
  await instance.close()
})

const readRows = (table: string, workspaceId: string) => readStoredRows(instance, table, workspaceId)

test('the name of a deleted account is blanked in approvals, appeals and batches', async () => {
  const { appeals, id, addMember, post, get } = await openWorkspace(instance)
  const { accountId, session: memberSession, deleteAccount, blank } = await addMember()
  const { approval } = await requestApproval(instance, id, '77')
  await post('/api/moderation/approvals', { id: approval.id, action: 'approve' }, memberSession)
  const { appealCode } = await appeals.ban()
  const appealId = (await appeals.submit(appealCode)).body.appeal.id
  await appeals.staff('message', memberSession, { id: appealId, text: 'Looks fine' })
  const decided = await appeals.staff('decide', memberSession, {
    id: appealId,
    decision: 'accepted',
    message: 'Ok',
  })
  expect(decided.status, decided.text).toBe(200)
  const fields = { action: 'ban', userIds: '5,6', reason: 'Raid' }
  const { batch } = await post('/api/moderation/batches', fields, memberSession)
  await post('/api/workspaces', { workspaceId: undefined, id, archive: 'true' }, memberSession)
  await post('/api/workspaces', { workspaceId: undefined, id, archive: 'false' }, memberSession)
  const read = async () => ({
    approvals: (await get('/api/moderation/approvals')).approvals,
    appeals: [(await appeals.list('&state=all'))[0].decidedBy, ...(await appeals.show(appealId)).messages],
    batches: (await get('/api/moderation/batches')).batches,
    batch: (await get('/api/moderation/batches', `${id}&id=${batch.id}`)).batch,
  })
  await deleteAccount()
  const before = await read()
  for (const part of Object.values(before)) expect(JSON.stringify(part)).toContain(NAME)

  await blank()
  const after = JSON.parse(
    JSON.stringify(before)
      .replace(`"decidedByUsername":"${NAME}"`, '"decidedByUsername":null')
      .replaceAll(`"${NAME}"`, '""'),
  )
  expect(await read()).toEqual(after)
  expect(after.approvals[0].decidedBy).toBe(accountId)
  for (const table of ['batch', 'workspace_job']) expect(await readRows(table, id)).not.toContain(NAME)
})

describe('the name of a deleted account can be blanked', () => {
  const warn = { action: 'warn', userId: '7', reason: 'Spam' }

  test.each(['before', 'after'])('in a copy of an archive from %s the account was deleted', async (when) => {
    const { addMember, post, archive, restore, listDeleted } = await openWorkspace(instance)
    const { accountId, session, deleteAccount, blank } = await addMember()
    await post('/api/moderation', warn, session)
    if (when === 'after') await deleteAccount()
    const fromArchive = await archive()
    if (when === 'before') await deleteAccount()
    const copy = await restore({ fromArchive })
    expect(await readRows('record', copy)).toContain(NAME)
    expect(await listDeleted(copy)).toMatchObject([{ accountId, username: NAME, nameState: 'kept' }])
    await blank(copy)
    expect(await readRows('record', copy)).not.toContain(NAME)
    expect(await listDeleted(copy)).toMatchObject([{ username: null, nameState: 'blanked' }])
  })

  test('again in a copy that has it from an archive of before, but it is not in copies of later archives', async () => {
    const { addMember, post, archive, restore, listDeleted } = await openWorkspace(instance)
    const { session, deleteAccount, blank } = await addMember()
    await post('/api/moderation', warn, session)
    await deleteAccount()
    const early = await archive()
    instance.clock.advance(1000)
    await blank()
    instance.clock.advance(1000)
    const late = await archive()
    const [first, second] = [await restore({ fromArchive: early }), await restore({ fromArchive: late })]
    expect(await listDeleted(first)).toMatchObject([{ username: NAME, nameState: 'kept' }])
    expect(await listDeleted(second)).toMatchObject([{ username: null, nameState: 'blanked' }])
  })

  test('after a roll-back that has taken the account out of the workspace', async () => {
    const { id, addMember, post, archive, restore, listDeleted } = await openWorkspace(instance)
    const fromArchive = await archive()
    const { accountId, session, deleteAccount, blank } = await addMember()
    await post('/api/moderation', warn, session)
    await archive({ staysArchived: true })
    await restore({ id, fromArchive })
    await deleteAccount()
    expect(await readRows('audit', id)).toContain(NAME)
    expect(await listDeleted()).toMatchObject([{ accountId, username: NAME, nameState: 'kept' }])
    await blank()
    expect(await readRows('audit', id)).not.toContain(NAME)
  })
})

test('a name that was blanked is blanked again after a roll-back to an archive that has it', async () => {
  const { id, addMember, post, archive, restore, listDeleted } = await openWorkspace(instance)
  const { session, deleteAccount, blank } = await addMember()
  const warn = { action: 'warn', userId: '7', reason: 'Spam' }
  const { record } = await post('/api/moderation', warn, session)
  await post('/api/moderation', { action: 'comment', id: record.id, value: 'Noted' }, session)
  await deleteAccount()
  const fromArchive = await archive()
  await blank()
  // A roll-back only replaces what has changed.
  await post('/api/moderation', { action: 'edit', id: record.id, reason: 'Spam again' })
  await archive({ staysArchived: true })
  await restore({ id, fromArchive })
  await runBlankingJob(instance)
  expect(await findChanged(instance, id)).toEqual([])
  expect(await readRows('record', id)).not.toContain(NAME)
  expect(await readRows('record_version', id)).not.toContain(NAME)
  expect(await listDeleted()).toMatchObject([{ username: null, nameState: 'blanked' }])
})

test('a name that a roll-back brings back while it is being blanked is blanked in the end', async () => {
  const { id, addMember, post, archive, restore, listDeleted } = await openWorkspace(instance)
  const { accountId, session, deleteAccount } = await addMember()
  const { record } = await post('/api/moderation', { action: 'warn', userId: '7', reason: 'Spam' }, session)
  await post('/api/moderation', { action: 'comment', id: record.id, value: 'Noted' }, session)
  await deleteAccount()
  const fromArchive = await archive()
  await post('/api/moderation', { action: 'edit', id: record.id, reason: 'Spam again' })
  await post('/portal/api/deleted-members/blank-name', { accountId })
  await archive({ staysArchived: true })
  let isRolledBack = false
  await runBlankingJob(instance, {
    ...instance.db,
    async write(unit) {
      const result = await instance.db.write(unit)
      if (isRolledBack || (await readRows('record', id)).includes(NAME)) return result
      isRolledBack = true
      await restore({ id, fromArchive })
      expect(await readRows('record', id)).toContain(NAME)
      return result
    },
  })
  expect(isRolledBack).toBe(true)
  expect(await readRows('record', id)).not.toContain(NAME)
  expect(await readRows('record_version', id)).not.toContain(NAME)
  expect(await listDeleted()).toMatchObject([{ username: null, nameState: 'blanked' }])
})

test('a name that a roll-back brings back which fails in the end is blanked again', async () => {
  await instance.close()
  instance = await openInstance({ finishesJobs: false })
  const { id, credentials, addMember, post, archive } = await openWorkspace(instance)
  const { session, deleteAccount, blank } = await addMember()
  const operator = await instance.session(await instance.account('Operator', true))
  const viewer = await instance.member(id, permissions)
  const { record } = await post('/api/moderation', { action: 'warn', userId: '7', reason: 'Spam' }, session)
  await deleteAccount()
  const fromArchive = await archive()
  await blank()
  await post('/api/moderation', { action: 'edit', id: record.id, reason: 'Spam again' })
  await archive({ staysArchived: true })
  await post('/api/workspaces', { workspaceId: undefined, id, fromArchive })
  await runJobUntil(instance, credentials, 'finish')
  expect(await readRows('record', id)).toContain(NAME)
  const { body } = await instance.request('GET', `/api/workspaces?id=${id}`, { session: viewer.session })
  const disable = { session: operator, body: { id: body.workspace.ownerId, disabled: 'true' } }
  expect((await instance.request('PATCH', '/admin/api/accounts', disable)).status).toBe(200)
  await instance.runJobs()
  expect(await readLastJob(instance, { id, ownerSession: viewer.session })).toMatchObject({
    ...{ kind: 'roll_back', state: 'failed' },
  })
  await runBlankingJob(instance)
  expect(await readRows('record', id)).not.toContain(NAME)
})

test('a blanked name is not shown to an account that its owner has invited', async () => {
  const { addMember, post } = await openWorkspace(instance)
  const { session, deleteAccount, blank } = await addMember()
  const invitee = await instance.session(await instance.account('Invitee'))
  await post('/portal/api/invitations', { username: 'Invitee' }, session)
  const listReceived = async () =>
    (await instance.request('GET', '/portal/api/invitations/received', { session: invitee })).body.invitations
  await deleteAccount()
  expect(await listReceived()).toMatchObject([{ invitedBy: NAME, valid: 'false' }])
  await blank()
  expect(await listReceived()).toMatchObject([{ invitedBy: null, valid: 'false' }])
})
