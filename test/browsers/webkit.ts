import { freePort } from '@reeve/db/test-cluster'
import { Builder, Capabilities, Key, type WebElement } from 'selenium-webdriver'
import { waitUntilListening } from '../support/listening.ts'
import type { PageDriver } from './page.ts'

const MINI_BROWSER = '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser'
const keys = { ArrowDown: Key.ARROW_DOWN, Enter: Key.ENTER }

/** Starts an X server without a screen. WebKitGTK has no headless mode. @returns the process and its display */
async function startDisplay() {
  const child = Bun.spawn(
    ['/usr/bin/Xvfb', '-displayfd', '1', '-screen', '0', '1440x900x24', '-nolisten', 'tcp', '-noreset'],
    {
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'ignore',
    },
  )
  // The pipe stays open: Xvfb would be killed by its next write to a closed one.
  const { value } = await child.stdout.getReader().read()
  if (!value) throw new Error('Xvfb ended without a display')
  return { child, display: `:${new TextDecoder().decode(value).trim()}` }
}

/** Opens a page in WebKitGTK's MiniBrowser over WebDriver. */
export async function openWebKit(width: number, height: number): Promise<PageDriver> {
  const { child: xvfb, display } = await startDisplay()
  const port = freePort()
  const driverProcess = Bun.spawn(['/usr/bin/WebKitWebDriver', `--port=${port}`], {
    env: { ...process.env, DISPLAY: display },
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
  })
  await waitUntilListening('WebKitWebDriver', driverProcess, port)
  const driver = await new Builder()
    .usingServer(`http://127.0.0.1:${port}`)
    .withCapabilities(
      new Capabilities({
        browserName: 'MiniBrowser',
        'webkitgtk:browserOptions': { binary: MINI_BROWSER, args: ['--automation'] },
      }),
    )
    .build()
  await driver.manage().window().setRect({ x: 0, y: 0, width, height })

  return {
    open: (url) => driver.get(url),
    evaluate: (expression) => driver.executeScript(`return ${expression}`),
    async findElement(expression) {
      const element = await driver.executeScript<WebElement | null>(`return ${expression}`)
      return (
        element && {
          click: () => element.click(),
          type: (text) => element.sendKeys(text),
          chooseFile: (path) => element.sendKeys(path),
        }
      )
    },
    pressKey: (key) => driver.actions().sendKeys(keys[key]).perform(),
    saveScreenshot: async (path) =>
      void (await Bun.write(path, Buffer.from(await driver.takeScreenshot(), 'base64'))),
    async close() {
      await driver.quit()
      driverProcess.kill()
      await driverProcess.exited
      xvfb.kill()
      await xvfb.exited
    },
  }
}
