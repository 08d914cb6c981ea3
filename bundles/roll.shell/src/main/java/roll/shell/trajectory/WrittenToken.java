package roll.shell.trajectory;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import roll.shell.trajectory.TrajectoryLine.Tokens;

/**
 * One token of an answer.
 *
 * @param text null where the file has none
 * @param logProb as it was drawn
 * @param advantage as trained on; NaN where the file has none
 * @param ratio of its probability before the update to the one it was drawn with; NaN where the
 *     file has none
 * @param trained whether it is trained on, as far as the file says
 */
record WrittenToken(
    @Nullable String text, double logProb, double advantage, double ratio, boolean trained) {
  /** What the policy wrote in {@code turn}; a line without log-probs has no tokens. */
  static List<WrittenToken> of(TrajectoryLine line, int turn) {
    List<WrittenToken> tokens = new ArrayList<>();
    for (Tokens sequence : Objects.requireNonNullElse(line.sequences(), List.<Tokens>of())) {
      int @Nullable [] turns = sequence.turns();
      double @Nullable [] logProbs = sequence.log_probs();
      for (int t = 0; turns != null && logProbs != null && t < turns.length; t++) {
        if (turns[t] == turn && t < logProbs.length) {
          tokens.add(of(sequence, t, logProbs[t]));
        }
      }
    }
    return tokens;
  }

  private static WrittenToken of(Tokens sequence, int t, double logProb) {
    List<String> texts = sequence.texts();
    int @Nullable [] mask = sequence.mask();
    return new WrittenToken(
        texts != null && t < texts.size() ? texts.get(t) : null,
        logProb,
        cell(sequence.advantages(), t),
        Math.exp(cell(sequence.old_log_probs(), t) - logProb),
        mask == null || t >= mask.length || mask[t] != 0);
  }

  private static double cell(double @Nullable [] cells, int t) {
    return cells != null && t < cells.length ? cells[t] : Double.NaN;
  }
}
