package roll.env.click_and_read;

import static roll.env.click_and_read.PageCanvas.GREY;
import static roll.env.click_and_read.PageCanvas.INK;
import static roll.env.click_and_read.PageCanvas.LINK;
import static roll.env.click_and_read.PageCanvas.MARGIN;

import java.awt.Color;
import java.awt.Font;
import java.awt.image.BufferedImage;
import java.util.List;
import roll.env.click_and_read.site.Page;
import roll.env.click_and_read.site.PageElement;
import roll.env.click_and_read.site.PageElement.Kind;

/**
 * Renders a text observation for people, 640 by 480 pixels: the question, a notice, then the
 * numbered list.
 */
final class ObservationPicture {
  private static final int WIDTH = 640;
  private static final int HEIGHT = 480;
  private static final int INDENT = 52;
  private static final int MOST_LINES = 20;
  private static final Color NOTE = new Color(0xFFF4D6);
  private static final Color WARNING = new Color(0xB3541E);

  private ObservationPicture() {}

  /** Renders an observation of a web page as a picture. */
  static BufferedImage draw(String question, String notice, Page page) {
    PageCanvas canvas = new PageCanvas(WIDTH, HEIGHT);
    canvas.font(Font.BOLD, 13);
    List<String> asked = canvas.wrapped(question, WIDTH - 2 * MARGIN, 3);
    canvas.fill(NOTE, MARGIN + 18 * asked.size());
    canvas.write(question, MARGIN, INK, 3);
    canvas.skip(6);
    if (!notice.isEmpty()) {
      paragraph(canvas, notice, MARGIN, WARNING);
    }
    canvas.font(Font.PLAIN, 11);
    paragraph(canvas, page.path(), MARGIN, GREY);
    for (int i = 0; i < page.lines().size() && canvas.y() < HEIGHT; i++) {
      PageElement line = page.lines().get(i);
      canvas.font(Font.PLAIN, 11);
      canvas.beside("[" + (i + 1) + "]", GREY);
      boolean heading = line.kind() == Kind.HEADING;
      canvas.font(heading ? Font.BOLD : Font.PLAIN, heading ? 16 : 13);
      Color color = line.kind() == Kind.LINK ? LINK : line.kind() == Kind.OUTSIDE ? GREY : INK;
      paragraph(canvas, line.text(), INDENT, color);
    }
    return canvas.done();
  }

  private static void paragraph(PageCanvas canvas, String text, int left, Color color) {
    canvas.write(text, left, color, MOST_LINES);
    canvas.skip(4);
  }
}
