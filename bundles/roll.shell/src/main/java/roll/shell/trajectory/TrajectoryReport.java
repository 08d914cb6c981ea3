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
import roll.shell.trajectory.TrajectoryLine.LoggedMessage;
import roll.shell.trajectory.TrajectoryLine.LoggedPicture;
import roll.text.TerminalText;

/** A trajectory turn by turn as text. */
final class TrajectoryReport {
  private static final MathContext SIX = new MathContext(6);

  private final TrajectoryLine line;
  private final Path folder;
  private final TerminalColors paint;
  private final TokenColor color;
  private final StringBuilder page = new StringBuilder();

  private TrajectoryReport(
      TrajectoryLine line, Path folder, TerminalColors paint, TokenColor color) {
    this.color = color;
    this.line = line;
    this.folder = folder;
    this.paint = paint;
  }

  /**
   * Returns observation, response and reward of each turn, then finish reason and metrics.
   * Responses are colored token by token if the line has the tokens' texts. Pictures are listed by
   * file.
   *
   * @param folder of the trajectory file
   * @param color quantity that token colors show
   */
  static String of(TrajectoryLine line, Path folder, TerminalColors paint, TokenColor color) {
    return new TrajectoryReport(line, folder, paint, color).whole();
  }

  /** Returns {@code number} with at most six significant digits. */
  static String number(double number) {
    return Double.isFinite(number)
        ? BigDecimal.valueOf(number).round(SIX).stripTrailingZeros().toPlainString()
        : String.valueOf(number);
  }

  private String whole() {
    page.append(paint.heading(String.valueOf(line.id()))).append('\n');
    int turn = -1;
    boolean begins = true;
    List<LoggedMessage> messages =
        Objects.requireNonNullElse(line.messages(), List.<LoggedMessage>of());
    double @Nullable [] rewards = line.rewards();
    long earlier = // assistant messages of the task itself; each of the policy's has a reward
        rewards == null || rewards.length == 0
            ? 0
            : messages.stream().filter(TrajectoryReport::isAnswer).count() - rewards.length;
    for (LoggedMessage said : messages) {
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

  private static boolean isAnswer(LoggedMessage said) {
    return "assistant".equals(said.role());
  }

  private void pictures(LoggedMessage said) {
    for (LoggedPicture shown :
        Objects.requireNonNullElse(said.pictures(), List.<@Nullable LoggedPicture>of())) {
      if (shown != null && shown.file() != null) {
        String path = folder + File.separator + TerminalText.visible(shown.file());
        page.append("    picture ").append(path).append('\n');
      }
    }
  }

  private void answer(int turn, String content) {
    List<ResponseToken> tokens = ResponseToken.of(line, turn);
    String cut =
        line.cut() != null && line.cut().contains(turn) ? ", truncated at the token limit:" : ":";
    String heading = "response" + (tokens.isEmpty() ? "" : " (" + numbers(tokens) + ")") + cut;
    StringBuilder painted = new StringBuilder();
    for (ResponseToken token : tokens) {
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

  private static String numbers(List<ResponseToken> tokens) {
    ResponseToken least = tokens.getFirst();
    double sum = 0;
    for (ResponseToken token : tokens) {
      least = token.logProb() < least.logProb() ? token : least;
      sum += token.logProb();
    }
    String count = tokens.size() == 1 ? "1 token" : tokens.size() + " tokens";
    String rarest =
        tokens.size() == 1
            ? ""
            : String.format(Locale.ROOT, ", min %.4f", least.logProb())
                + (least.text() == null ? "" : " of " + Json.line(least.text()));
    return count + String.format(Locale.ROOT, ", log-prob %.4f", sum) + rarest + trained(tokens);
  }

  /** Returns the range of {@code number} over the tokens that have it. */
  private static String range(
      String name, List<ResponseToken> tokens, ToDoubleFunction<ResponseToken> number) {
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

  /** Returns advantages, ratios and masked tokens, as far as the file has them. */
  private static String trained(List<ResponseToken> tokens) {
    List<ResponseToken> trained = tokens.stream().filter(ResponseToken::trained).toList();
    int left = tokens.size() - trained.size();
    return range("advantage", trained, ResponseToken::advantage)
        + range("ratio", tokens, ResponseToken::ratio)
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
