package roll.env.click_and_read;

import roll.env.click_and_read.browser.Look;
import roll.env.click_and_read.site.Page;
import roll.env.click_and_read.site.Site;

/** Shows pages: the browser, or what draws them without one. For all threads. */
@FunctionalInterface
interface PageView {
  /**
   * How {@code page} of {@code site} looks.
   *
   * @param most most pixels of its height
   * @throws roll.browser.BrowserException if it cannot be shown
   */
  Look show(Site site, Page page, int most);
}
