package roll.env.click_and_read;

import roll.env.click_and_read.browser.PageScreenshot;
import roll.env.click_and_read.site.Page;
import roll.env.click_and_read.site.Site;

/** Renders pages, with or without a browser. Thread-safe. */
@FunctionalInterface
interface PageRenderer {
  /**
   * Renders the page {@code page} of {@code site}.
   *
   * @param most maximum height in pixels
   * @throws roll.browser.BrowserException if it cannot be rendered
   */
  PageScreenshot show(Site site, Page page, int most);
}
