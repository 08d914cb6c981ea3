package roll.strategy.vllm.speculation;

/**
 * Decides how many tokens are proposed for a sequence, by the share of earlier ones that were
 * accepted: a token is proposed if what it saves is expected to exceed its cost. After steps that
 * accepted nothing there are pauses of increasing length, longer ones in larger steps. The decision
 * depends on the sequence and the size of the step, not on times, so that runs repeat.
 */
public final class AcceptanceRate {
  /** Maximum tokens of a step for proposals: with more, another token takes too much time. */
  private static final int MOST_ROWS = 8;

  /**
   * The cost of another token is the tokens of the step divided by this, in units of a token's
   * share of the step's time.
   */
  private static final double ROWS = 24;

  /** Weight of earlier steps relative to the next. */
  private static final double DECAY = 0.8;

  /** Maximum tokens of a pause, for each token of the step. */
  private static final int LONGEST_PAUSE = 63;

  // as if one of five had been accepted: the first proposal is one token
  private double tested = 5;
  private double accepted = 1;
  private int rows = 1;
  private int pause;
  private int left;

  /**
   * Returns the maximum number of tokens to propose in a step that computes {@code rows} tokens.
   */
  public int limit(int rows, int most) {
    if (rows > MOST_ROWS || most < 1) {
      return 0;
    }
    this.rows = Math.max(1, rows);
    if (left > 0) {
      left--;
      return 0;
    }
    double rate = accepted / tested;
    double likely = rate * rate;
    int count = 1;
    while (count < most && likely >= rows / ROWS) {
      likely *= rate;
      count++;
    }
    return count;
  }

  /**
   * Records a step that accepted {@code count} of {@code proposed} tokens. After an accepted one
   * there is no pause, but the next is not much shorter than the last: it may have been chance.
   */
  public void add(int proposed, int count) {
    tested = DECAY * tested + Math.min(proposed, count + 1); // those after a rejected one are not
    accepted = DECAY * accepted + count;
    pause = count > 0 ? pause / 4 : Math.min(LONGEST_PAUSE * rows, 4 * pause + 3 * rows);
    left = count > 0 ? 0 : pause;
  }
}
