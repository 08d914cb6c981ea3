package roll.core.sft;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import roll.api.loss.PolicyLoss;
import roll.core.role.WorkerGroup;

/** Data and steps of supervised training. */
interface SupervisedTask {
  /** The data of training by steps. */
  SftData<?> train();

  /** Plural name of a row, such as pairs. */
  String rows();

  /** The roles that are opened, each after those it depends on. */
  Set<String> roles();

  /** The loss of actor_train. */
  PolicyLoss loss();

  /**
   * Runs one optimizer step; returns the reason why it was skipped, or null.
   *
   * @param number of the step, from 0
   * @param metrics of the step, added to
   */
  @Nullable String step(WorkerGroup workers, int number, Map<String, Double> metrics)
      throws InterruptedException;

  /** Whether there is data for validation. */
  boolean validates();

  /** Adds the metrics of the validation data. */
  void validate(WorkerGroup workers, Map<String, Double> metrics) throws InterruptedException;
}
