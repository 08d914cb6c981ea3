package roll.env.click_and_read;

import java.awt.image.BufferedImage;
import java.util.List;
import java.util.Optional;
import roll.env.click_and_read.site.Line;
import roll.env.click_and_read.site.Line.Kind;
import roll.env.click_and_read.site.SiteQuestion;

/** A visit to pages that are seen as numbered lists. */
final class TextEpisode extends ClickAndReadEpisode {
  TextEpisode(ClickAndReadScenario scenario, SiteQuestion task) {
    super(scenario, task);
  }

  @Override
  String seen() {
    return page().text();
  }

  @Override
  String offered() {
    return "click[number], ";
  }

  @Override
  List<String> moves() {
    return page().clicks();
  }

  @Override
  Optional<String> nearer(int far) {
    List<Line> lines = page().lines();
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).kind() == Kind.LINK && distance(lines.get(i).target()) < far) {
        return Optional.of("click[" + (i + 1) + "]");
      }
    }
    return Optional.empty();
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
    return Optional.of(PagePicture.draw(task().question(), notice(), page()));
  }
}
