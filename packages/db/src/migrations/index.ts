import type { Migration } from '../migration.ts'
import { initial } from './0001-initial.ts'
import { imagesElsewhere } from './0002-images-elsewhere.ts'
import { jobs } from './0003-jobs.ts'
import { optionalPassword } from './0004-optional-password.ts'
import { playerNames } from './0005-player-names.ts'
import { savedViews } from './0006-saved-views.ts'
import { profileUrl } from './0007-profile-url.ts'
import { recentReasons } from './0008-recent-reasons.ts'
import { activity } from './0009-activity.ts'
import { eventHost } from './0010-event-host.ts'
import { itemCounts } from './0011-item-counts.ts'
import { limits } from './0012-limits.ts'
import { workspaceJobs } from './0013-workspace-jobs.ts'

/**
 * Every migration, in order. Listed by hand, so that it survives a single-file build. Never change the schema of a released
 * one.
 */
export const migrations: readonly Migration[] = [
  initial,
  imagesElsewhere,
  jobs,
  optionalPassword,
  playerNames,
  savedViews,
  profileUrl,
  recentReasons,
  activity,
  eventHost,
  itemCounts,
  limits,
  workspaceJobs,
]
