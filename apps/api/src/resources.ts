import { auditLog, instanceAuditLog } from '@reeve/audit-log'
import {
  type AppContext,
  accountRoutes,
  apiKeyRoutes,
  emailRoutes,
  type FirstRunCode,
  factorRoutes,
  oidcRoutes,
  passkeyRoutes,
  passkeySignInRoutes,
  passwordRoutes,
  sessionRoutes,
  totpRoutes,
} from '@reeve/auth'
import { departmentPortalRoutes, departments } from '@reeve/departments'
import { endpointControlPortalRoutes, endpointControls } from '@reeve/endpoint-controls'
import { events, imageRoutes } from '@reeve/events'
import { instance, ownAccount, type ProgramInfo, type RemoveMember, reports } from '@reeve/instance'
import { type Hub, live } from '@reeve/live'
import { acceptInvitation, deletedMembers, invitations, members, removeMember } from '@reeve/members'
import {
  appealPage,
  appealPortalRoutes,
  appeals,
  approvals,
  assignmentPortalRoutes,
  batches,
  changes,
  claimPortalRoutes,
  erasures,
  evidenceFilePortalRoutes,
  exportPortalRoutes,
  importPortalRoutes,
  inboxPortalRoutes,
  insights,
  insightsPortalRoutes,
  ladders,
  limitPortalRoutes,
  moderation,
  pinnedNotePortalRoutes,
  playerLinks,
  playerPortalRoutes,
  recordPortalRoutes,
  retention,
  savedViewPortalRoutes,
  serverCheck,
  templates,
} from '@reeve/moderation'
import { overview } from '@reeve/overview'
import { roles, workspacePermissions } from '@reeve/permissions'
import { search } from '@reeve/search'
import { usage } from '@reeve/usage'
import { createCreatorWebhooks, webhooks } from '@reeve/webhooks'
import {
  archiveRoutes,
  createWorkspace,
  secondFactorPolicyRoutes,
  workspaceContent,
  workspaceDeletion,
  workspaceDetails,
  workspaceJobs,
  workspaces,
} from '@reeve/workspaces'

/** The public resources, in documentation order. Each is built once and mounted under both prefixes. */
export const publicResources = (app: AppContext) => [
  moderation(app),
  serverCheck(app),
  approvals(app),
  batches(app),
  insights(app),
  templates(app),
  ladders(app),
  retention(app),
  playerLinks(app),
  erasures(app),
  changes(app),
  appeals(app),
  departments(app),
  workspaces(app),
  workspacePermissions(app),
  endpointControls(app),
  events(app),
  webhooks(app),
]

/** The resources without a prefix: images and the portal-only routes. */
export const portalResources = (app: AppContext, code: FirstRunCode, program: ProgramInfo, hub: Hub) => [
  imageRoutes(app),
  accountRoutes(app, { code, createWorkspace }),
  passwordRoutes(app),
  emailRoutes(app),
  passkeySignInRoutes(app),
  passkeyRoutes(app),
  oidcRoutes(app, (tx, ports, actor, token) => acceptInvitation(tx, ports, actor, { token })),
  factorRoutes(app),
  totpRoutes(app),
  sessionRoutes(app),
  apiKeyRoutes(app),
  roles(app, createCreatorWebhooks(app.ports)),
  members(app, createCreatorWebhooks(app.ports)),
  deletedMembers(app),
  invitations(app),
  endpointControlPortalRoutes(app),
  usage(app),
  auditLog(app),
  instanceAuditLog(app),
  archiveRoutes(app),
  workspaceContent(app),
  workspaceDetails(app),
  workspaceDeletion(app),
  secondFactorPolicyRoutes(app),
  workspaceJobs(app),
  playerPortalRoutes(app),
  recordPortalRoutes(app),
  evidenceFilePortalRoutes(app),
  savedViewPortalRoutes(app),
  exportPortalRoutes(app),
  importPortalRoutes(app),
  appealPortalRoutes(app),
  appealPage(app),
  limitPortalRoutes(app),
  insightsPortalRoutes(app),
  claimPortalRoutes(app),
  assignmentPortalRoutes(app),
  pinnedNotePortalRoutes(app),
  inboxPortalRoutes(app),
  departmentPortalRoutes(app),
  overview(app),
  search(app),
  live(app, hub),
  instance(app, program, removeAccount(app), createCreatorWebhooks(app.ports)),
  ownAccount(app, removeAccount(app), createCreatorWebhooks(app.ports)),
  reports(app),
]

const removeAccount =
  ({ ports }: AppContext): RemoveMember =>
  (tx, actor, accountId) =>
    removeMember(tx, ports, actor, { accountId }, createCreatorWebhooks(ports).pause)

/** The prefix of every public route in its current form. */
export const CURRENT_PREFIX = '/api'
