package roll.env.webshop;

import java.awt.Color;
import java.awt.Font;
import java.awt.FontMetrics;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.util.ArrayList;
import java.util.List;
import roll.env.webshop.ShopPage.Bought;
import roll.env.webshop.ShopPage.Home;
import roll.env.webshop.ShopPage.Item;
import roll.env.webshop.ShopPage.Results;

/**
 * Renders a page: a header, the instruction, then texts, cards and buttons. The picture is 644
 * pixels wide and as high as needed, at least 504: multiples of 28, which Qwen's models need not
 * resize.
 */
final class ShopPagePicture {
  private static final int TOKEN = 28;
  private static final int WIDTH = 23 * TOKEN;
  private static final int LOWEST = 18 * TOKEN;
  private static final int HIGHEST = 72 * TOKEN;
  private static final int MARGIN = 16;
  private static final Color INK = new Color(0x1F2933);
  private static final Color GREY = new Color(0x66727F);
  private static final Color LINE = new Color(0xD5DBE1);
  private static final Color BRAND = new Color(0x1E4E79);
  private static final Color PAPER = new Color(0xF5F7FA);
  private static final Color NOTE = new Color(0xFFF4D6);
  private static final Color CHOSEN = new Color(0x2E8B57);
  private static final Color BUY = new Color(0xE0851B);

  private final BufferedImage image;
  private final Graphics2D g;
  private final String instruction;
  private int x = MARGIN;
  private int y;
  private int rowHeight;

  private ShopPagePicture(String instruction, int height) {
    this.instruction = instruction;
    image = new BufferedImage(WIDTH, height, BufferedImage.TYPE_INT_RGB);
    g = image.createGraphics();
    g.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
    g.setRenderingHint(
        RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
  }

  /** Renders {@code page} with {@code parts} and the instruction. */
  static BufferedImage draw(String instruction, ShopPage page, List<PageElement> parts) {
    ShopPagePicture picture = new ShopPagePicture(instruction, LOWEST);
    int needed = picture.draw(page, parts);
    if (needed <= LOWEST) {
      return picture.image;
    }
    int height = Math.min(HIGHEST, Math.ceilDiv(needed, TOKEN) * TOKEN);
    ShopPagePicture higher = new ShopPagePicture(instruction, height);
    higher.draw(page, parts);
    return higher.image;
  }

  /** Draws the page and returns its height. */
  private int draw(ShopPage page, List<PageElement> parts) {
    fill(PAPER, 0, 0, WIDTH, image.getHeight());
    fill(BRAND, 0, 0, WIDTH, 40);
    font(Font.BOLD, 18);
    text("WebShop", MARGIN, 26, Color.WHITE);
    note();
    // the first elements are drawn as header and note
    int first = page instanceof Bought ? 0 : page instanceof Home ? 3 : 2;
    List<PageElement> rest = parts.subList(first, parts.size());
    switch (page) {
      case Home _ -> searchBar();
      case Results _ -> rest.forEach(this::result);
      case Item item -> rest.forEach(part -> ofItem(item, part));
      default -> rest.forEach(this::paragraph);
    }
    g.dispose();
    return y + rowHeight + MARGIN;
  }

  private void note() {
    font(Font.PLAIN, 12);
    int lines = lines(instruction, WIDTH - 4 * MARGIN, 4).size();
    int height = 16 * lines + 12;
    fill(NOTE, MARGIN, 52, WIDTH - 2 * MARGIN, height);
    y = 52 + 20;
    for (String line : lines(instruction, WIDTH - 4 * MARGIN, 4)) {
      text(line, 2 * MARGIN, y, INK);
      y += 16;
    }
    y += 10;
  }

  private void searchBar() {
    fill(Color.WHITE, MARGIN, y, WIDTH - 2 * MARGIN - 100, 34);
    g.setColor(LINE);
    g.drawRect(MARGIN, y, WIDTH - 2 * MARGIN - 100, 34);
    x = WIDTH - MARGIN - 90;
    button("Search", BRAND, Color.WHITE);
  }

  private void result(PageElement part) {
    switch (part.kind()) {
      case PRODUCT -> {
        newRow();
        fill(Color.WHITE, MARGIN, y - 2, WIDTH - 2 * MARGIN, 28);
        font(Font.BOLD, 11);
        text(part.text(), MARGIN + 8, y + 16, BRAND);
        x = MARGIN + 110;
        rowHeight = 31;
      }
      case TEXT -> ofRow(part.text());
      default -> button(part.text(), Color.WHITE, INK);
    }
  }

  /**
   * Draws a text of a result row: the title after the name, the price at the right, or the page
   * number.
   */
  private void ofRow(String text) {
    boolean price = text.startsWith("$");
    font(price ? Font.BOLD : Font.PLAIN, 12);
    if (price) {
      text(text, WIDTH - MARGIN - 8 - g.getFontMetrics().stringWidth(text), y + 16, CHOSEN);
    } else {
      text(lines(text, WIDTH - x - 130, 1).getFirst(), x, y + 16, INK);
      x += g.getFontMetrics().stringWidth(text) + 12;
    }
  }

  private void ofItem(Item item, PageElement part) {
    switch (part.kind()) {
      case VALUE -> {
        boolean chosen = item.chosen().containsValue(part.text());
        button(part.text(), chosen ? CHOSEN : Color.WHITE, chosen ? Color.WHITE : INK);
      }
      case TEXT -> {
        newRow();
        boolean title = part.text().equals(item.product().title());
        font(title ? Font.BOLD : Font.PLAIN, title ? 16 : 12);
        for (String line : lines(part.text(), WIDTH - 2 * MARGIN, 2)) {
          text(line, MARGIN, y + 14, title ? INK : GREY);
          y += title ? 22 : 20;
        }
      }
      default -> {
        boolean buy = part.text().equals(ShopSite.BUY);
        button(part.text(), buy ? BUY : Color.WHITE, buy ? Color.WHITE : INK);
      }
    }
  }

  private void paragraph(PageElement part) {
    if (part.kind() != PageElement.Kind.TEXT) {
      button(part.text(), Color.WHITE, INK);
      return;
    }
    newRow();
    font(Font.PLAIN, 13);
    for (String line : lines(part.text(), WIDTH - 2 * MARGIN, 20)) {
      text(line, MARGIN, y + 14, INK);
      y += 18;
    }
    y += 6;
  }

  /** Draws a button in the current row, or in the next one if it does not fit. */
  private void button(String label, Color ground, Color ink) {
    font(Font.PLAIN, 12);
    String shown = lines(label, WIDTH - 4 * MARGIN, 1).getFirst();
    int width = g.getFontMetrics().stringWidth(shown) + 20;
    if (x + width > WIDTH - MARGIN) {
      newRow();
    }
    g.setColor(ground);
    g.fillRoundRect(x, y, width, 24, 8, 8);
    g.setColor(ground.equals(Color.WHITE) ? GREY : ground);
    g.drawRoundRect(x, y, width, 24, 8, 8);
    text(shown, x + 10, y + 16, ink);
    x += width + 8;
    rowHeight = 31;
  }

  private void newRow() {
    y += rowHeight;
    rowHeight = 0;
    x = MARGIN;
  }

  private void font(int style, int size) {
    g.setFont(new Font(Font.SANS_SERIF, style, size));
  }

  private void text(String text, int left, int base, Color color) {
    g.setColor(color);
    g.drawString(text, left, base);
  }

  private void fill(Color color, int left, int top, int width, int height) {
    g.setColor(color);
    g.fillRect(left, top, width, height);
  }

  /**
   * Wraps {@code text} into at most {@code most} lines of {@code width} pixels, truncated with "…".
   */
  private List<String> lines(String text, int width, int most) {
    return new Wrapping(g.getFontMetrics(), width).lines(text, most);
  }

  /** Wraps text at spaces. */
  private record Wrapping(FontMetrics metrics, int width) {
    /** Maximum characters that are laid out. */
    private static final int LONGEST = 4_000;

    List<String> lines(String text, int most) {
      List<String> lines = new ArrayList<>();
      String line = "";
      String bounded = text.substring(0, Math.min(text.length(), LONGEST));
      for (String word : bounded.split("\\s+", -1)) {
        String longer = line.isEmpty() ? word : line + " " + word;
        if (metrics.stringWidth(longer) <= width) {
          line = longer;
        } else if (lines.size() + 1 == most) {
          lines.add(cut(longer));
          return lines;
        } else {
          lines.add(cut(line));
          line = word;
        }
      }
      lines.add(cut(line));
      return lines;
    }

    private String cut(String line) {
      if (metrics.stringWidth(line) <= width) {
        return line;
      }
      int end = line.length();
      while (end > 0 && metrics.stringWidth(line.substring(0, end) + "…") > width) {
        end--;
      }
      return line.substring(0, end) + "…";
    }
  }
}
