package roll.env.click_and_read;

import static roll.env.click_and_read.PageCanvas.INK;
import static roll.env.click_and_read.PageCanvas.LINK;
import static roll.env.click_and_read.PageCanvas.MARGIN;

import java.awt.Font;
import java.awt.Rectangle;
import java.awt.image.BufferedImage;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import roll.env.click_and_read.browser.PageScreenshot;
import roll.env.click_and_read.browser.PageScreenshot.Link;
import roll.env.click_and_read.site.Page;
import roll.env.click_and_read.site.PageElement;
import roll.env.click_and_read.site.PageElement.Kind;
import roll.env.click_and_read.site.Site;

/**
 * Renders pages without a browser: the elements that the text mode lists, one below the other,
 * without style sheets and pictures. Links are blue and underlined.
 *
 * @param width of the window in pixels
 * @param height of the window in pixels, the minimum height of a page
 */
record JavaPageRenderer(int width, int height) implements PageRenderer {
  private static final int MOST_LINES = 200;

  /** A drawn page: its image, used height and links. */
  private record Drawing(BufferedImage image, int height, List<Link> links) {}

  @Override
  public PageScreenshot show(Site site, Page page, int most) {
    Drawing drawing = draw(page, height);
    if (drawing.height() > height) {
      drawing = draw(page, Math.min(most, drawing.height()));
    }
    int whole = drawing.image().getHeight();
    List<Link> links =
        drawing.links().stream().filter(link -> link.boxes().getFirst().y < whole).toList();
    return new PageScreenshot(() -> draw(page, whole).image(), whole, links);
  }

  private Drawing draw(Page page, int rows) {
    PageCanvas canvas = new PageCanvas(width, rows);
    List<Link> links = new ArrayList<>();
    for (PageElement line : page.lines()) {
      boolean heading = line.kind() == Kind.HEADING;
      boolean link = line.kind() == Kind.LINK || line.kind() == Kind.OUTSIDE;
      canvas.font(heading ? Font.BOLD : Font.PLAIN, heading ? 16 : 13);
      List<Rectangle> boxes = canvas.write(line.text(), MARGIN, link ? LINK : INK, MOST_LINES);
      if (link) {
        canvas.underline(boxes);
        links.add(new Link(line.text(), line.target(), largestFirst(boxes)));
      }
      canvas.skip(6);
    }
    int end = canvas.y() + MARGIN;
    return new Drawing(canvas.done(), end, List.copyOf(links));
  }

  private static List<Rectangle> largestFirst(List<Rectangle> boxes) {
    return boxes.stream().sorted(Comparator.comparingInt(box -> -box.width * box.height)).toList();
  }
}
