package roll.shell.trajectory;

import java.io.File;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import roll.shell.terminal.Json;
import roll.shell.terminal.Table;
import roll.shell.terminal.TerminalColors;
import roll.shell.trajectory.TrajectoryLine.Said;
import roll.shell.trajectory.TrajectoryLine.Shown;
import roll.shell.trajectory.TrajectoryLine.Tokens;

/** A trajectory turn by turn, as text. */
final class TrajectoryPage {
  private static final MathContext SIX = new MathContext(6);

  private final TrajectoryLine line;
  private final Path folder;
  private final TerminalColors paint;
  private final StringBuilder page = new StringBuilder();

  private TrajectoryPage(TrajectoryLine line, Path folder, TerminalColors paint) {
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
   */
  static String of(TrajectoryLine line, Path folder, TerminalColors paint) {
    return new TrajectoryPage(line, folder, paint).whole();
  }

  /** {@code number} with at most six digits that count. */
  static String number(double number) {
    return Double.isFinite(number)
        ? BigDecimal.valueOf(number).round(SIX).stripTrailingZeros().toPlainString()
        : String.valueOf(number);
  }

  /**
   * One token of an answer.
   *
   * @param text null where the file has none
   */
  private record Token(@Nullable String text, double logProb) {}

  private String whole() {
    page.append(paint.heading(String.valueOf(line.id()))).append('\n');
    int turn = -1;
    boolean begins = true;
    for (Said said : Objects.requireNonNullElse(line.messages(), List.<Said>of())) {
      boolean answer = "assistant".equals(said.role());
      if (begins && !"system".equals(said.role())) {
        page.append('\n').append(paint.heading("turn " + (++turn + 1))).append('\n');
        begins = false;
      }
      String content = Objects.requireNonNullElse(said.content(), "");
      if (answer) {
        answer(turn, content);
        begins = true;
      } else {
        text(Objects.requireNonNullElse(said.role(), "message") + ":", visible(content));
        pictures(said);
      }
    }
    end();
    return page.toString().stripTrailing();
  }

  private void pictures(Said said) {
    for (Shown shown : Objects.requireNonNullElse(said.pictures(), List.<@Nullable Shown>of())) {
      if (shown != null && shown.file() != null) {
        String path = folder + File.separator + visible(shown.file());
        page.append("    picture ").append(path).append('\n');
      }
    }
  }

  private void answer(int turn, String content) {
    List<Token> tokens = tokens(turn);
    String heading = "response:";
    if (!tokens.isEmpty()) {
      Token least = tokens.getFirst();
      double sum = 0;
      for (Token token : tokens) {
        least = token.logProb() < least.logProb() ? token : least;
        sum += token.logProb();
      }
      heading = String.format(Locale.ROOT, "response (1 token, log-prob %.4f):", sum);
      if (tokens.size() > 1) {
        heading =
            String.format(
                Locale.ROOT,
                "response (%d tokens, log-prob %.4f, least %.4f%s):",
                tokens.size(),
                sum,
                least.logProb(),
                least.text() == null ? "" : " of " + Json.line(least.text()));
      }
    }
    StringBuilder painted = new StringBuilder();
    for (Token token : tokens) {
      painted.append(
          token.text() == null ? "" : paint.probability(token.logProb(), visible(token.text())));
    }
    text(heading, painted.isEmpty() ? visible(content) : painted.toString());
    double @Nullable [] rewards = line.rewards();
    if (rewards != null && turn < rewards.length) {
      double reward = rewards[turn];
      page.append("  reward ").append(paint.sign(reward, number(reward))).append('\n');
    }
  }

  /** What the policy wrote in {@code turn}; a line without log-probs has no tokens. */
  private List<Token> tokens(int turn) {
    List<Token> tokens = new ArrayList<>();
    for (Tokens sequence : Objects.requireNonNullElse(line.sequences(), List.<Tokens>of())) {
      int @Nullable [] turns = sequence.turns();
      double @Nullable [] logProbs = sequence.log_probs();
      List<String> texts = sequence.texts();
      for (int t = 0; turns != null && logProbs != null && t < turns.length; t++) {
        if (turns[t] == turn && t < logProbs.length) {
          tokens.add(
              new Token(texts != null && t < texts.size() ? texts.get(t) : null, logProbs[t]));
        }
      }
    }
    return tokens;
  }

  /** Without what would move the cursor. */
  private static String visible(String text) {
    return text.replaceAll("[\\p{Cntrl}&&[^\n\t]]", "\uFFFD");
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
      page.append('\n').append(paint.legend());
    }
  }
}
