package roll.env.click_and_read;

import java.awt.Color;
import java.awt.Font;
import java.awt.FontMetrics;
import java.awt.Graphics2D;
import java.awt.Rectangle;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.util.ArrayList;
import java.util.List;

/** A white canvas for lines of text from top to bottom, in Java's sans-serif font. */
final class PageCanvas {
  static final int MARGIN = 16;
  static final Color INK = new Color(0x1F2933);
  static final Color GREY = new Color(0x8A94A0);
  static final Color LINK = new Color(0x1A5FB4);

  private static final int LINE = 18;
  private static final int MOST_CHARS = 2_000;

  private final BufferedImage image;
  private final Graphics2D g;
  private int y = MARGIN;

  PageCanvas(int width, int height) {
    image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
    g = image.createGraphics();
    g.setRenderingHint(
        RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
    fill(Color.WHITE, height);
  }

  /** Returns the finished image; nothing can be drawn afterwards. */
  BufferedImage done() {
    g.dispose();
    return image;
  }

  /** Returns the row of pixels of the next line. */
  int y() {
    return y;
  }

  void skip(int rows) {
    y += rows;
  }

  void font(int style, int size) {
    g.setFont(new Font(Font.SANS_SERIF, style, size));
  }

  /** Fills the first {@code height} rows of the canvas. */
  void fill(Color color, int height) {
    g.setColor(color);
    g.fillRect(0, 0, image.getWidth(), height);
  }

  /** Writes at the margin of the next line without advancing. */
  void beside(String text, Color color) {
    g.setColor(color);
    g.drawString(text, MARGIN, y + 12);
  }

  /**
   * Writes {@code text}, wrapped at spaces.
   *
   * @param most maximum number of lines
   * @return the boxes of the lines
   */
  List<Rectangle> write(String text, int left, Color color, int most) {
    FontMetrics metrics = g.getFontMetrics();
    List<Rectangle> boxes = new ArrayList<>();
    for (String line : wrapped(text, image.getWidth() - left - MARGIN, most)) {
      g.setColor(color);
      g.drawString(line, left, y + 12);
      int width = Math.min(metrics.stringWidth(line), image.getWidth() - left);
      boxes.add(new Rectangle(left, y, Math.max(1, width), LINE - 2));
      y += LINE;
    }
    return boxes;
  }

  /** Draws a line below each of {@code boxes}. */
  void underline(List<Rectangle> boxes) {
    boxes.forEach(box -> g.drawLine(box.x, box.y + 14, box.x + box.width - 1, box.y + 14));
  }

  /** Wraps {@code text} into at most {@code most} lines of {@code width} pixels. */
  List<String> wrapped(String text, int width, int most) {
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
