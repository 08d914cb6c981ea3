package roll.env.click_and_read;

import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.Rectangle;
import java.awt.image.BufferedImage;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import roll.browser.BrowserException;
import roll.env.click_and_read.browser.PageScreenshot;
import roll.env.click_and_read.browser.PageScreenshot.Link;
import roll.env.click_and_read.site.Page;
import roll.env.click_and_read.site.Site;

/**
 * A window over rendered pages. Pages do not change, so each is rendered once and cached for all
 * sessions.
 */
final class Viewport {
  /** Maximum height of a rendered page, in windows. */
  private static final int WINDOWS = 10;

  private static final Color MARK = new Color(0xC4211B);

  private final PageRenderer view;
  private final int width;
  private final int height;
  private final boolean marks;
  private final Map<Page, CompletableFuture<PageScreenshot>> looks = new ConcurrentHashMap<>();

  /**
   * Creates a viewport.
   *
   * @param view renderer with windows of {@code width} by {@code height} pixels
   * @param marks whether numbers are drawn beside links
   */
  Viewport(PageRenderer view, int width, int height, boolean marks) {
    this.view = view;
    this.width = width;
    this.height = height;
    this.marks = marks;
  }

  int width() {
    return width;
  }

  int height() {
    return height;
  }

  /** Returns the rows of a scroll step; some rows stay visible. */
  int stride() {
    return height * 9 / 10;
  }

  /**
   * Returns the screenshot of the page {@code page} of {@code site}.
   *
   * @throws BrowserException if it cannot be rendered; a later call retries
   */
  PageScreenshot look(Site site, Page page) {
    CompletableFuture<PageScreenshot> mine = new CompletableFuture<>();
    CompletableFuture<PageScreenshot> other = looks.putIfAbsent(page, mine);
    if (other != null) {
      return await(other);
    }
    try {
      PageScreenshot look = view.show(site, page, WINDOWS * height);
      mine.complete(look);
      return look;
    } catch (RuntimeException e) {
      looks.remove(page);
      mine.completeExceptionally(e);
      throw e;
    }
  }

  /** Waits for another session to render the page; that call has a timeout. */
  private static PageScreenshot await(CompletableFuture<PageScreenshot> look) {
    try {
      return look.join();
    } catch (CompletionException e) {
      throw new BrowserException("showing a page for another session failed", e);
    }
  }

  /** Returns the window of {@code look} at row {@code top}. */
  BufferedImage window(PageScreenshot look, int top) {
    BufferedImage window = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
    Graphics2D g = window.createGraphics();
    g.drawImage(look.picture().get(), 0, -top, null);
    if (marks) {
      g.setFont(new Font(Font.SANS_SERIF, Font.BOLD, 11));
      List<Link> links = look.links();
      for (int i = 0; i < links.size(); i++) {
        mark(g, String.valueOf(i + 1), links.get(i).boxes().getFirst(), top);
      }
    }
    g.dispose();
    return window;
  }

  /** Draws a number right of the upper right corner of {@code box}, within the window. */
  private void mark(Graphics2D g, String number, Rectangle box, int top) {
    int wide = g.getFontMetrics().stringWidth(number) + 4;
    int x = Math.clamp(box.x + box.width, 0, width - wide);
    int y = Math.max(0, box.y) - top;
    g.setColor(MARK);
    g.fillRect(x, y, wide, 13);
    g.setColor(Color.WHITE);
    g.drawString(number, x + 2, y + 10);
  }
}
