package roll.shell.trajectory;

import java.io.File;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.Path;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import roll.shell.terminal.Json;
import roll.shell.terminal.Table;
import roll.shell.terminal.TerminalColors;
import roll.shell.trajectory.TrajectoryLine.Said;
import roll.shell.trajectory.TrajectoryLine.Shown;
import roll.text.TerminalText;

/** A trajectory turn by turn, as text. */
final class TrajectoryPage {
  private static final MathContext SIX = new MathContext(6);

  private final TrajectoryLine line;
  private final Path folder;
  private final TerminalColors paint;
  private final TokenColor color;
  private final StringBuilder page = new StringBuilder();

  private TrajectoryPage(TrajectoryLine line, Path folder, TerminalColors paint, TokenColor color) {
    this.color = color;
    this.line = line;
    this.folder = folder;
    this.paint = paint;
  }

  /**
   * What was seen, what was answered and what that gave, turn by turn; then the metrics and why it
   * ended. Answers are colored token by token, where the line has the tokens' texts. Pictures are
   * named by their files.
   *
   * @param folder of the file that the line is from
   * @param color what the colors of tokens say
   */
  static String of(TrajectoryLine line, Path folder, TerminalColors paint, TokenColor color) {
    return new TrajectoryPage(line, folder, paint, color).whole();
  }

  /** {@code number} with at most six digits that count. */
  static String number(double number) {
    return Double.isFinite(number)
        ? BigDecimal.valueOf(number).round(SIX).stripTrailingZeros().toPlainString()
        : String.valueOf(number);
  }

  private String whole() {
    page.append(paint.heading(String.valueOf(line.id()))).append('\n');
    int turn = -1;
    boolean begins = true;
    List<Said> messages = Objects.requireNonNullElse(line.messages(), List.<Said>of());
    double @Nullable [] rewards = line.rewards();
    long earlier = // answers that the task began with: each of the policy's has a reward
        rewards == null || rewards.length == 0
            ? 0
            : messages.stream().filter(TrajectoryPage::isAnswer).count() - rewards.length;
    for (Said said : messages) {
      boolean answer = isAnswer(said) && earlier-- <= 0;
      if (begins && !"system".equals(said.role())) {
        page.append('\n').append(paint.heading("turn " + (++turn + 1))).append('\n');
        begins = false;
      }
      String content = Objects.requireNonNullElse(said.content(), "");
      if (answer) {
        answer(turn, content);
        begins = true;
      } else {
        text(
            Objects.requireNonNullElse(said.role(), "message") + ":",
            TerminalText.visible(content));
        pictures(said);
      }
    }
    end();
    return page.toString().stripTrailing();
  }

  private static boolean isAnswer(Said said) {
    return "assistant".equals(said.role());
  }

  private void pictures(Said said) {
    for (Shown shown : Objects.requireNonNullElse(said.pictures(), List.<@Nullable Shown>of())) {
      if (shown != null && shown.file() != null) {
        String path = folder + File.separator + TerminalText.visible(shown.file());
        page.append("    picture ").append(path).append('\n');
      }
    }
  }

  private void answer(int turn, String content) {
    List<WrittenToken> tokens = WrittenToken.of(line, turn);
    String cut = line.cut() != null && line.cut().contains(turn) ? ", cut at its limit:" : ":";
    String heading = "response" + (tokens.isEmpty() ? "" : " (" + numbers(tokens) + ")") + cut;
    StringBuilder painted = new StringBuilder();
    for (WrittenToken token : tokens) {
      painted.append(
          token.text() == null
              ? ""
              : color.paint(paint, token, TerminalText.visible(token.text())));
    }
    text(heading, painted.isEmpty() ? TerminalText.visible(content) : painted.toString());
    double @Nullable [] rewards = line.rewards();
    if (rewards != null && turn < rewards.length) {
      double reward = rewards[turn];
      page.append("  reward ").append(paint.sign(reward, number(reward))).append('\n');
    }
  }

  private static String numbers(List<WrittenToken> tokens) {
    WrittenToken least = tokens.getFirst();
    double sum = 0;
    for (WrittenToken token : tokens) {
      least = token.logProb() < least.logProb() ? token : least;
      sum += token.logProb();
    }
    String count = tokens.size() == 1 ? "1 token" : tokens.size() + " tokens";
    String rarest =
        tokens.size() == 1
            ? ""
            : String.format(Locale.ROOT, ", least %.4f", least.logProb())
                + (least.text() == null ? "" : " of " + Json.line(least.text()));
    return count + String.format(Locale.ROOT, ", log-prob %.4f", sum) + rarest + trained(tokens);
  }

  /** Over the tokens that have one: the number, or the least and the greatest. */
  private static String range(
      String name, List<WrittenToken> tokens, ToDoubleFunction<WrittenToken> number) {
    DoubleSummaryStatistics found =
        tokens.stream()
            .mapToDouble(number)
            .filter(value -> !Double.isNaN(value))
            .summaryStatistics();
    if (found.getCount() == 0) {
      return "";
    }
    String least = String.format(Locale.ROOT, "%.4f", found.getMin());
    String most = String.format(Locale.ROOT, "%.4f", found.getMax());
    return ", " + name + " " + (least.equals(most) ? least : least + " to " + most);
  }

  /** What training made of the tokens, as far as the file says. */
  private static String trained(List<WrittenToken> tokens) {
    List<WrittenToken> trained = tokens.stream().filter(WrittenToken::trained).toList();
    int left = tokens.size() - trained.size();
    return range("advantage", trained, WrittenToken::advantage)
        + range("ratio", tokens, WrittenToken::ratio)
        + (left == 0 ? "" : ", " + left + " not trained on");
  }

  private void text(String heading, String text) {
    page.append("  ").append(heading).append('\n');
    page.append(text.stripTrailing().indent(4));
  }

  private void end() {
    page.append('\n').append(paint.heading("end")).append('\n');
    page.append("  finish  ").append(Objects.requireNonNullElse(line.finish(), "unknown"));
    double score = Objects.requireNonNullElse(line.score(), Double.NaN);
    page.append("\n  score   ").append(paint.sign(score, number(score))).append('\n');
    Map<String, Double> metrics = Objects.requireNonNullElse(line.metrics(), Map.of());
    if (!metrics.isEmpty()) {
      Table table = new Table();
      metrics.forEach((name, value) -> table.row(name, number(value)));
      page.append('\n').append(paint.heading("metrics")).append('\n');
      page.append(table.toString().indent(2));
    }
    boolean painted = line.sequences() != null && !line.sequences().isEmpty();
    if (painted && paint.on()) {
      page.append('\n').append(color.legend(paint));
    }
  }
}
