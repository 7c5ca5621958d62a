export { type CreateWorkspaceInput, createWorkspace } from './create.ts'
export { purgeWorkspaces } from './deletion/purge.ts'
export { requestDeletion, undoDeletion } from './deletion/request.ts'
export { workspaceDeletion } from './deletion/routes.ts'
export { deleteExpiredJobs, deleteLeftovers } from './jobs/cleanup.ts'
export { cancelJob } from './jobs/end-job.ts'
export type { JobDependencies } from './jobs/job-context.ts'
export { formatJobName } from './jobs/job-rules.ts'
export { claimNextJob, countJobs, findJobById, findUnfinishedJob } from './jobs/job-store.ts'
export { listJobs, listUnfinishedJobs, presentJobs } from './jobs/list-jobs.ts'
export { type Job, presentJob } from './jobs/model.ts'
export { workspaceJobs } from './jobs/portal-routes.ts'
export { type JobOutcome, runJob } from './jobs/run-job.ts'
export { presentWorkspace, type WorkspaceInput, type WorkspaceQueryInput } from './model.ts'
export {
  archiveRoutes,
  secondFactorPolicyRoutes,
  workspaceContent,
  workspaceDetails,
} from './portal-routes.ts'
export { listAllWorkspaces } from './read.ts'
export { workspaces } from './routes.ts'
export { requireWorkspace } from './workspace-store.ts'
