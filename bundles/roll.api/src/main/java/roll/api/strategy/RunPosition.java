package roll.api.strategy;

/**
 * Position of an optimizer step in its run. If episodes have several samples, the total number of
 * optimizer steps is unknown before the end, so the learning-rate schedule uses this position.
 *
 * @param step number of training steps before this one
 * @param steps total number of training steps
 * @param update number of optimizer steps of this training step before this one
 * @param updates total number of optimizer steps of this training step
 */
public record RunPosition(int step, int steps, int update, int updates) {
  /**
   * Extrapolates the total number of optimizer steps; exact if all training steps have the same
   * number.
   *
   * @param made optimizer steps so far, over the whole run
   */
  public double total(long made) {
    double all = (double) steps * updates;
    double before = (double) step * updates + update;
    return made == 0 || before == 0 ? all : made * all / before;
  }
}
