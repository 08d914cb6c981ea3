package roll.env.click_and_read.browser;

import java.awt.Rectangle;
import java.awt.image.BufferedImage;
import java.util.List;
import java.util.function.Supplier;

/**
 * A rendered page in full, of which an agent sees a window.
 *
 * @param picture decodes the picture on each call, since many pages are cached and few are used
 * @param height height in pixels, at least that of the window
 * @param links the visible links in the order of the page
 */
public record PageScreenshot(Supplier<BufferedImage> picture, int height, List<Link> links) {
  /**
   * A link on a rendered page.
   *
   * @param label text of the link
   * @param target path of its target; empty for a link out of the site
   * @param boxes its areas in pixels of the whole page; at least one, the largest first
   */
  public record Link(String label, String target, List<Rectangle> boxes) {}
}
