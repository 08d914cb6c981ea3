package roll.shell.trajectory;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import roll.shell.trajectory.TrajectoryLine.Tokens;

/**
 * One token of a response, as the trajectory command shows it.
 *
 * @param text null if the file has none
 * @param logProb log-prob at sampling
 * @param advantage as used in training; NaN if the file has none
 * @param ratio of the trainer's probability before the update to that at sampling; NaN if the file
 *     has none
 * @param trained whether the token is trained on; true if the file does not say
 */
record ResponseToken(
    @Nullable String text, double logProb, double advantage, double ratio, boolean trained) {
  /** Returns the tokens generated in {@code turn}; empty for a line without log-probs. */
  static List<ResponseToken> of(TrajectoryLine line, int turn) {
    List<ResponseToken> tokens = new ArrayList<>();
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

  private static ResponseToken of(Tokens sequence, int t, double logProb) {
    List<String> texts = sequence.texts();
    int @Nullable [] mask = sequence.mask();
    return new ResponseToken(
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
