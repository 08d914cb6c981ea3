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
import roll.env.click_and_read.browser.Look;
import roll.env.click_and_read.browser.Look.Link;
import roll.env.click_and_read.site.Page;
import roll.env.click_and_read.site.Site;

/**
 * How pages look through a window. Pages do not change, so each is shown once and its picture kept
 * for all sessions.
 */
final class Eyes {
  /** Pages longer than this many windows are cut. */
  private static final int WINDOWS = 10;

  private static final Color MARK = new Color(0xC4211B);

  private final PageView view;
  private final int width;
  private final int height;
  private final boolean marks;
  private final Map<Page, CompletableFuture<Look>> looks = new ConcurrentHashMap<>();

  /**
   * Eyes.
   *
   * @param view whose windows are {@code width} by {@code height} pixels
   * @param marks whether links get their number drawn beside them
   */
  Eyes(PageView view, int width, int height, boolean marks) {
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

  /** How far a window is moved: some rows stay in sight. */
  int stride() {
    return height * 9 / 10;
  }

  /**
   * How {@code page} of {@code site} looks.
   *
   * @throws BrowserException if it cannot be shown; asked again, it is tried again
   */
  Look look(Site site, Page page) {
    CompletableFuture<Look> mine = new CompletableFuture<>();
    CompletableFuture<Look> other = looks.putIfAbsent(page, mine);
    if (other != null) {
      return await(other);
    }
    try {
      Look look = view.show(site, page, WINDOWS * height);
      mine.complete(look);
      return look;
    } catch (RuntimeException e) {
      looks.remove(page);
      mine.completeExceptionally(e);
      throw e;
    }
  }

  /** Who shows the page gives up in time, so this ends too. */
  private static Look await(CompletableFuture<Look> look) {
    try {
      return look.join();
    } catch (CompletionException e) {
      throw new BrowserException("showing a page for another session failed", e);
    }
  }

  /** What the window shows of {@code look} from row {@code top} on. */
  BufferedImage window(Look look, int top) {
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

  /** A number right of the upper right corner of {@code box}, within the window. */
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
