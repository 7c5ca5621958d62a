import { auditLog } from '@reeve/audit-log'
import {
  type AppContext,
  accountRoutes,
  apiKeyRoutes,
  type FirstRunCode,
  passwordRoutes,
  sessionRoutes,
} from '@reeve/auth'
import { departmentPortalRoutes, departments } from '@reeve/departments'
import { endpointControlPortalRoutes, endpointControls } from '@reeve/endpoint-controls'
import { events, imageRoutes } from '@reeve/events'
import { instance, type ProgramInfo } from '@reeve/instance'
import { type Hub, live } from '@reeve/live'
import { invitations, members } from '@reeve/members'
import { moderation, playerPortalRoutes, recordPortalRoutes, savedViewPortalRoutes } from '@reeve/moderation'
import { overview } from '@reeve/overview'
import { roles, workspacePermissions } from '@reeve/permissions'
import { search } from '@reeve/search'
import { usage } from '@reeve/usage'
import {
  archiveRoutes,
  createWorkspace,
  workspaceContent,
  workspaceDetails,
  workspaceJobs,
  workspaces,
} from '@reeve/workspaces'

/** The public resources, in documentation order. Each is built once and mounted under both prefixes. */
export const publicResources = (app: AppContext) => [
  moderation(app),
  departments(app),
  workspaces(app),
  workspacePermissions(app),
  endpointControls(app),
  events(app),
]

/** The resources without a prefix: images and the portal-only routes. */
export const portalResources = (app: AppContext, code: FirstRunCode, program: ProgramInfo, hub: Hub) => [
  imageRoutes(app),
  accountRoutes(app, { code, createWorkspace }),
  passwordRoutes(app),
  sessionRoutes(app),
  apiKeyRoutes(app),
  roles(app),
  members(app),
  invitations(app),
  endpointControlPortalRoutes(app),
  usage(app),
  auditLog(app),
  archiveRoutes(app),
  workspaceContent(app),
  workspaceDetails(app),
  workspaceJobs(app),
  playerPortalRoutes(app),
  recordPortalRoutes(app),
  savedViewPortalRoutes(app),
  departmentPortalRoutes(app),
  overview(app),
  search(app),
  live(app, hub),
  instance(app, program),
]

/** The prefix of every public route in its current form. */
export const CURRENT_PREFIX = '/api'
