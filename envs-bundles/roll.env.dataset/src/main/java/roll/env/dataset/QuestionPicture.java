package roll.env.dataset;

import java.awt.Color;
import java.awt.Font;
import java.awt.FontMetrics;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.util.ArrayList;
import java.util.List;

/** Renders a question, the response and the reference answer, 640 by 480 pixels. */
final class QuestionPicture {
  private static final int WIDTH = 640;
  private static final int HEIGHT = 480;
  private static final int MARGIN = 16;
  private static final int LINE = 17;
  private static final Color PAPER = new Color(0xF5F7FA);
  private static final Color INK = new Color(0x1F2933);
  private static final Color GREY = new Color(0x66727F);

  /** Maximum characters that are laid out. */
  private static final int LONGEST = 4_000;

  private QuestionPicture() {}

  /** Renders {@code question} and {@code response}, which may be empty. */
  static BufferedImage draw(Question question, String response) {
    BufferedImage image = new BufferedImage(WIDTH, HEIGHT, BufferedImage.TYPE_INT_RGB);
    Graphics2D g = image.createGraphics();
    g.setRenderingHint(
        RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
    g.setColor(PAPER);
    g.fillRect(0, 0, WIDTH, HEIGHT);
    int y = part(g, "Question", question.text(), MARGIN, 11);
    y = part(g, "Response", response, y, 8);
    part(g, "Answer", question.answer().orElse(""), y, 5);
    g.dispose();
    return image;
  }

  private static int part(Graphics2D g, String title, String text, int top, int most) {
    int y = top + LINE;
    g.setColor(GREY);
    g.setFont(new Font(Font.SANS_SERIF, Font.BOLD, 12));
    g.drawString(title, MARGIN, y);
    g.setColor(INK);
    g.setFont(new Font(Font.SANS_SERIF, Font.PLAIN, 13));
    for (String line : lines(g.getFontMetrics(), text, most)) {
      y += LINE;
      g.drawString(line, MARGIN, y);
    }
    return y + LINE / 2;
  }

  /**
   * Wraps {@code text} at spaces into at most {@code most} lines; words that are too long overflow.
   */
  private static List<String> lines(FontMetrics metrics, String text, int most) {
    List<String> lines = new ArrayList<>();
    for (String paragraph : text.substring(0, Math.min(text.length(), LONGEST)).lines().toList()) {
      StringBuilder line = new StringBuilder();
      for (String word : paragraph.split(" ", -1)) {
        if (metrics.stringWidth(line + " " + word) > WIDTH - 2 * MARGIN && !line.isEmpty()) {
          lines.add(line.toString());
          line.setLength(0);
        }
        line.append(line.isEmpty() ? "" : " ").append(word);
      }
      lines.add(line.toString());
    }
    if (lines.size() <= most) {
      return lines;
    }
    List<String> shown = new ArrayList<>(lines.subList(0, most));
    shown.add(shown.removeLast() + " …");
    return shown;
  }
}
