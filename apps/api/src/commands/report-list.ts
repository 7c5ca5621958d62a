import { listReports } from '@reeve/instance'
import { formatTable, instanceCommand, readAllPages, switchOption } from '../command-line/command.ts'

export const listReportsCommand = instanceCommand({
  options: { all: switchOption('also list the reports that are resolved') },
  async run({ db }, { all }) {
    const reports = await readAllPages(
      (page) => listReports(db.read, { ...page, ...(all ? {} : { open: true }) }),
      (page) => page.reports,
    )
    return { reports }
  },
  print: ({ reports }) =>
    formatTable(
      ['ID', 'WORKSPACE', 'NAME', 'OWNER', 'REPORTED BY', 'CREATED', 'RESOLVED', 'MESSAGE'],
      reports.map((report) => [
        report.id,
        report.workspaceId,
        report.groupName,
        report.owner ?? 'deleted',
        report.reporter,
        report.createdAt,
        report.resolvedAt ?? '',
        report.message,
      ]),
    ),
})
