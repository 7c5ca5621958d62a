export { invitations } from './invitation-routes.ts'
export { members } from './routes.ts'
export { forgetOldInvitations } from './waiting.ts'
