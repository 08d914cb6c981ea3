package roll.env.click_and_read;

import java.awt.image.BufferedImage;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import roll.env.click_and_read.site.PageElement;
import roll.env.click_and_read.site.PageElement.Kind;
import roll.env.click_and_read.site.SiteQuestion;

/** An episode with pages as numbered lists. */
final class TextEpisode extends ClickAndReadEpisode {
  TextEpisode(ClickAndReadScenario scenario, SiteQuestion task) {
    super(scenario, task);
  }

  @Override
  String pageText() {
    return page().text();
  }

  @Override
  String actionKinds() {
    return scenario().clicksByWords() ? "click[words], " : "click[number], ";
  }

  @Override
  List<String> pageActions() {
    if (!scenario().clicksByWords()) {
      return page().clicks();
    }
    return IntStream.range(0, page().lines().size())
        .filter(i -> page().lines().get(i).kind() == Kind.LINK)
        .mapToObj(this::clickOn)
        .distinct()
        .toList();
  }

  @Override
  Optional<String> toward(int far) {
    List<PageElement> lines = page().lines();
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).kind() == Kind.LINK && distance(lines.get(i).target()) < far) {
        return Optional.of(clickOn(i));
      }
    }
    return Optional.empty();
  }

  /** Returns a click on the link {@code i}, by number if its text is ambiguous. */
  private String clickOn(int i) {
    PageElement line = page().lines().get(i);
    boolean words =
        scenario().clicksByWords() && page().find(line.text()).filter(line::equals).isPresent();
    return "click[" + (words ? line.text() : String.valueOf(i + 1)) + "]";
  }

  @Override
  void click(String label) {
    follow(label);
  }

  @Override
  void scroll(boolean down) {
    refuse("the whole page is shown.");
  }

  @Override
  Object view() {
    return page();
  }

  @Override
  public Optional<BufferedImage> render() {
    return Optional.of(ObservationPicture.draw(task().question(), notice(), page()));
  }
}
