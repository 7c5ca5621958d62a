import type { Locator, Page } from 'playwright-core'
import { fillIn, pressButton } from '../support/page-actions.ts'
import type { DemoCommunity } from './demo-community.ts'

/** A picture of the guide. */
export interface Picture {
  readonly name: string
  /** Null for a visitor without an account. */
  readonly username: string | null
  /** Path below the URL of the workspace; of a visitor, below that of the server. */
  readonly path: string | ((community: DemoCommunity) => string)
  readonly width: 390 | 1440
  readonly height?: number
  readonly isDark?: boolean
  /** A text that appears once everything has loaded. */
  readonly visibleText: string | RegExp
  /** Actions before the picture is taken. */
  readonly arrange?: (page: Page, community: DemoCommunity) => Promise<void>
  /** The part of the page to show; all of it by default. */
  readonly part?: (page: Page) => Locator
}

export const DESKTOP_WIDTH = 1440
export const PHONE_WIDTH = 390

export async function fillBanForm(page: Page): Promise<void> {
  await pressButton(page, 'Ban')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio', { name: '14 days' }).check()
  await dialog.getByLabel('Reason').fill('Exploiting again, on server 2')
  await dialog.getByText('Replaces the active ban').waitFor()
}

/** The content of a screen, without the navigation. */
export const mainPart = (page: Page) => page.locator('main .mantine-Container-root').first()
export const dialogPart = (page: Page) => page.getByRole('dialog')

/** Opens the form of a player with a template, which leads to a ban that needs approval. */
export async function fillTemplateForm(page: Page): Promise<void> {
  await pressButton(page, 'Warn')
  await page.getByRole('dialog').getByRole('radio', { name: 'Exploiting', exact: true }).check()
  await page.getByText('asks another person to approve').waitFor()
}

/** Previews the undo of what an account did in the last day. */
export async function previewUndo(page: Page): Promise<void> {
  await page.getByRole('combobox', { name: 'Moderator or API key' }).click()
  await page.getByRole('option', { name: 'tomas' }).click()
  await fillIn(page, { Since: '2026-11-18T00:00', Reason: 'The account was stolen' })
  await pressButton(page, 'Preview')
  await page.getByRole('table', { name: 'Preview' }).waitFor()
  await page.getByText('Pinned notes: 1').waitFor()
}

/** Previews a batch with a template, whose ladder decides for each player. */
export async function previewBatch(page: Page): Promise<void> {
  await page.getByRole('combobox', { name: 'Template' }).click()
  await page.getByRole('option', { name: 'Spamming' }).click()
  await fillIn(page, { 'IDs of players': '261, 733, 2617\n7001\n7002', Reason: 'Raid of the trade channel' })
  await pressButton(page, 'Preview')
  await page.getByRole('table', { name: 'Preview' }).waitFor()
}

/** Adds two permissions that the user has to the moderator role. */
export async function grantPermissions(page: Page): Promise<void> {
  for (const label of ['Lift and shorten bans', 'Ban players']) {
    await page.getByRole('checkbox', { name: new RegExp(`^Moderator: ${label}`) }).click()
  }
  await page.getByText('2 unsaved changes in 1 role').waitFor()
}
