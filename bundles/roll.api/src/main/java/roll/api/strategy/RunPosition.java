package roll.api.strategy;

/**
 * Where in its run an optimizer step is. How many a run makes is not known before it ends where an
 * episode is several samples, so a learning-rate schedule that ends with it goes by this.
 *
 * @param step training steps of the run before this one
 * @param steps all training steps of the run
 * @param update optimizer steps of this training step before this one
 * @param updates all optimizer steps of this training step
 */
public record RunPosition(int step, int steps, int update, int updates) {
  /**
   * How many optimizer steps the run comes to if it goes on as it has so far; exactly those it
   * makes where each training step has as many.
   *
   * @param made optimizer steps that were made, over the whole run
   */
  public double total(long made) {
    double all = (double) steps * updates;
    double before = (double) step * updates + update;
    return made == 0 || before == 0 ? all : made * all / before;
  }
}
