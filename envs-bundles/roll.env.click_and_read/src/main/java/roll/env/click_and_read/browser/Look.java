package roll.env.click_and_read.browser;

import java.awt.Rectangle;
import java.awt.image.BufferedImage;
import java.util.List;
import java.util.function.Supplier;

/**
 * How a browser shows a page: the whole of it, of which an agent sees a window.
 *
 * @param picture makes a new picture of it each time: many pages are kept, and few are looked at
 * @param height its height in pixels, at least that of the window
 * @param links its links in the order of the page, those that can be seen
 */
public record Look(Supplier<BufferedImage> picture, int height, List<Link> links) {
  /**
   * A link.
   *
   * @param label what it says
   * @param target path of the page it leads to; empty where it leads out of the site
   * @param boxes where it is, in pixels of the whole page; at least one, the largest first
   */
  public record Link(String label, String target, List<Rectangle> boxes) {}
}
