package roll.preference.objectives;

import java.util.List;
import roll.api.preference.PreferenceBatch;
import roll.api.preference.PreferenceBatch.Pair;

/** Answers whose losses are computed by hand: their log-ratios are 2, −1, −1 and 0.5. */
final class TwoPairs {
  private static final double[] LOG_PROBS = {-4, -9, -3, -5};
  private static final double[] REFERENCE = {-6, -8, -2, -5.5};
  private static final int[] LENGTHS = {4, 3, 2, 5};
  private static final boolean[] PREFERRED = {true, false, true, false};

  private TwoPairs() {}

  /** The first answer was chosen over the second, the third over the fourth. */
  static PreferenceBatch pairs() {
    return new PreferenceBatch(
        LOG_PROBS, REFERENCE, LENGTHS, PREFERRED, List.of(new Pair(0, 1), new Pair(2, 3)), 0);
  }

  /** The same answers with labels, and a divergence. */
  static PreferenceBatch singles(double divergence) {
    return new PreferenceBatch(LOG_PROBS, REFERENCE, LENGTHS, PREFERRED, List.of(), divergence);
  }
}
