package roll.env.click_and_read;

import java.awt.Rectangle;
import java.awt.image.BufferedImage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import roll.env.click_and_read.browser.PageScreenshot;
import roll.env.click_and_read.browser.PageScreenshot.Link;
import roll.env.click_and_read.site.Page;
import roll.env.click_and_read.site.SiteQuestion;

/** An episode with pictures of a window over pages, optionally with the numbered list. */
final class PictureEpisode extends ClickAndReadEpisode {
  private static final Pattern POINT = Pattern.compile("(-?\\d{1,9})\\s*,\\s*(-?\\d{1,9})");

  private final Viewport viewport;
  private Page shown;
  private int top;

  /** The visible part of a web page: the page and its first visible row. */
  private record View(Page page, int top) {}

  PictureEpisode(ClickAndReadScenario scenario, SiteQuestion task, Viewport viewport) {
    super(scenario, task);
    this.viewport = viewport;
    shown = page();
  }

  /** Returns the screenshot of the current web page; a new page is shown from its top. */
  private PageScreenshot look() {
    if (!shown.equals(page())) {
      shown = page();
      top = 0;
    }
    return viewport.look(task().site(), page());
  }

  @Override
  String pageText() {
    int whole = look().height();
    String text = listed() ? page().text() : "Page: " + page().title() + " (" + page().path() + ")";
    return whole <= viewport.height()
        ? text
        : text
            + "\nThe window shows rows "
            + top
            + " to "
            + (top + viewport.height())
            + " of "
            + whole;
  }

  @Override
  String actionKinds() {
    boolean longer = look().height() > viewport.height();
    ActionFormat format = scenario().format();
    return (listed() ? "click[number], " : "")
        + format.click("x", "y")
        + ", "
        + (longer ? format.scroll(true) + ", " + format.scroll(false) + ", " : "");
  }

  /** Returns whether the agent also sees the numbered list. */
  private boolean listed() {
    return scenario().observation().showsText();
  }

  @Override
  List<String> pageActions() {
    PageScreenshot look = look();
    List<String> moves = new ArrayList<>();
    for (Link link : look.links()) {
      if (!link.target().isEmpty()) {
        inWindow(link).ifPresent(moves::add);
      }
    }
    if (top + viewport.height() < look.height()) {
      moves.add(scenario().format().scroll(true));
    }
    if (top > 0) {
      moves.add(scenario().format().scroll(false));
    }
    return moves;
  }

  /**
   * Returns a click on the center of the first box of {@code link} whose center is in the window.
   */
  private Optional<String> inWindow(Link link) {
    Rectangle window = new Rectangle(0, top, viewport.width(), viewport.height());
    return link.boxes().stream()
        .filter(box -> window.contains(box.getCenterX(), box.getCenterY()))
        .map(this::clickOn)
        .findFirst();
  }

  private String clickOn(Rectangle box) {
    int x = (int) box.getCenterX();
    int y = (int) box.getCenterY() - top;
    return scenario().format().click(String.valueOf(x), String.valueOf(y));
  }

  @Override
  Optional<String> toward(int far) {
    List<Link> leading =
        look().links().stream()
            .filter(link -> !link.target().isEmpty() && distance(link.target()) < far)
            .toList();
    return leading.stream()
        .flatMap(link -> inWindow(link).stream())
        .findFirst()
        .or(
            () ->
                leading.stream()
                    .map(link -> scenario().format().scroll(link.boxes().getFirst().y >= top))
                    .findFirst());
  }

  @Override
  void click(String label) {
    Matcher point = POINT.matcher(label);
    if (listed() && !point.matches()) {
      follow(label);
      return;
    }
    Optional<Link> link =
        point.matches()
            ? at(Integer.parseInt(point.group(1)), Integer.parseInt(point.group(2)))
            : named(label);
    if (link.isEmpty() && point.matches()) {
      refuse("there is no link at " + label + ".");
    } else if (link.isEmpty()) {
      refuseUnknown(label);
    } else if (link.get().target().isEmpty()) {
      refuseOutside();
    } else {
      go(link.get().target());
    }
  }

  /**
   * Returns the link at a point of the window; of several the last, which is innermost or on top.
   */
  private Optional<Link> at(int x, int y) {
    return x < 0 || y < 0 || x >= viewport.width() || y >= viewport.height()
        ? Optional.empty()
        : look().links().stream()
            .filter(link -> link.boxes().stream().anyMatch(box -> box.contains(x, y + top)))
            .reduce((_, last) -> last);
  }

  /** Returns the link with this mark, or the first with this text, case-insensitive. */
  private Optional<Link> named(String label) {
    List<Link> links = look().links();
    if (label.matches("\\d{1,6}")) {
      int number = Integer.parseInt(label);
      return number >= 1 && number <= links.size()
          ? Optional.of(links.get(number - 1))
          : Optional.empty();
    }
    return links.stream().filter(link -> link.label().equalsIgnoreCase(label)).findFirst();
  }

  @Override
  void scroll(boolean down) {
    int lowest = look().height() - viewport.height();
    int next = Math.clamp(down ? top + viewport.stride() : top - viewport.stride(), 0, lowest);
    if (next == top) {
      refuse("the page does not go on there.");
    }
    top = next;
  }

  @Override
  Object view() {
    look();
    return new View(page(), top);
  }

  @Override
  public Optional<BufferedImage> picture() {
    return Optional.of(viewport.window(look(), top));
  }
}
