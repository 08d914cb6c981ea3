package roll.env.click_and_read;

import java.awt.Color;
import java.awt.Font;
import java.awt.FontMetrics;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.util.ArrayList;
import java.util.List;
import roll.env.click_and_read.site.Line;
import roll.env.click_and_read.site.Line.Kind;
import roll.env.click_and_read.site.Page;

/** A picture of a page, 640 by 480: the question, a notice, then the numbered lines. */
final class PagePicture {
  private static final int WIDTH = 640;
  private static final int HEIGHT = 480;
  private static final int MARGIN = 16;
  private static final int INDENT = 52;
  private static final int MOST_CHARS = 2_000;
  private static final Color INK = new Color(0x1F2933);
  private static final Color GREY = new Color(0x8A94A0);
  private static final Color PAPER = Color.WHITE;
  private static final Color NOTE = new Color(0xFFF4D6);
  private static final Color WARNING = new Color(0xB3541E);
  private static final Color LINK = new Color(0x1A5FB4);

  private final BufferedImage image = new BufferedImage(WIDTH, HEIGHT, BufferedImage.TYPE_INT_RGB);
  private final Graphics2D g = image.createGraphics();
  private int y = MARGIN;

  PagePicture() {
    g.setRenderingHint(
        RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
  }

  /** The picture. To be called once. */
  BufferedImage draw(String question, String notice, Page page) {
    g.setColor(PAPER);
    g.fillRect(0, 0, WIDTH, HEIGHT);
    font(Font.BOLD, 13);
    List<String> asked = wrapped(question, WIDTH - 2 * MARGIN, 3);
    g.setColor(NOTE);
    g.fillRect(0, 0, WIDTH, MARGIN + 18 * asked.size());
    asked.forEach(line -> line(line, MARGIN, INK));
    y += 6;
    if (!notice.isEmpty()) {
      paragraph(notice, MARGIN, WARNING);
    }
    font(Font.PLAIN, 11);
    paragraph(page.path(), MARGIN, GREY);
    for (int i = 0; i < page.lines().size() && y < HEIGHT; i++) {
      Line line = page.lines().get(i);
      font(Font.PLAIN, 11);
      g.setColor(GREY);
      g.drawString("[" + (i + 1) + "]", MARGIN, y + 12);
      boolean heading = line.kind() == Kind.HEADING;
      font(heading ? Font.BOLD : Font.PLAIN, heading ? 16 : 13);
      paragraph(
          line.text(),
          INDENT,
          line.kind() == Kind.LINK ? LINK : line.kind() == Kind.OUTSIDE ? GREY : INK);
    }
    g.dispose();
    return image;
  }

  private void paragraph(String text, int left, Color color) {
    wrapped(text, WIDTH - left - MARGIN, 20).forEach(line -> line(line, left, color));
    y += 4;
  }

  private void line(String text, int left, Color color) {
    g.setColor(color);
    g.drawString(text, left, y + 12);
    y += 18;
  }

  private void font(int style, int size) {
    g.setFont(new Font(Font.SANS_SERIF, style, size));
  }

  /** {@code text} in at most {@code most} lines of {@code width} pixels; what is wider is cut. */
  private List<String> wrapped(String text, int width, int most) {
    FontMetrics metrics = g.getFontMetrics();
    List<String> lines = new ArrayList<>();
    String line = "";
    String bounded = text.substring(0, Math.min(text.length(), MOST_CHARS));
    for (String word : bounded.split(" ", -1)) {
      String longer = line.isEmpty() ? word : line + " " + word;
      if (line.isEmpty() || metrics.stringWidth(longer) <= width) {
        line = longer;
      } else {
        lines.add(line);
        line = word;
      }
    }
    lines.add(line);
    return lines.subList(0, Math.min(most, lines.size()));
  }
}
