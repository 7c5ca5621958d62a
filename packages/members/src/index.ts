export { removeMember } from './change.ts'
export { deleteExpiredInvitations } from './invitations/pending.ts'
export { invitations } from './invitations/routes.ts'
export { members } from './routes.ts'
