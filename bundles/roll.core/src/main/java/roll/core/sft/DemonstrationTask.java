package roll.core.sft;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import roll.api.data.Batch;
import roll.api.loss.PolicyLoss;
import roll.api.scoring.Distributions;
import roll.core.Roles;
import roll.core.role.Futures;
import roll.core.role.ReferenceDistributions;
import roll.core.role.WorkerGroup;
import roll.runtime.config.RunConfig;
import roll.runtime.worker.Task;

/**
 * Learns what demonstrations say, and with {@code distill} the reference's distributions there.
 *
 * @param train the demonstrations by steps
 * @param validation demonstrations for the validation loss; may be empty
 */
record DemonstrationTask(
    RunConfig run, SftData<Demonstration> train, List<Demonstration> validation)
    implements SupervisedTask {
  @Override
  public String rows() {
    return "demonstrations";
  }

  @Override
  public Set<String> roles() {
    Set<String> roles = new LinkedHashSet<>(List.of(Roles.ACTOR_TRAIN));
    if (run.algorithm().distill() != null && !run.roles().referenceIsActor()) {
      roles.add(Roles.REFERENCE);
    }
    return roles;
  }

  @Override
  public PolicyLoss loss() {
    return new SftLoss();
  }

  @Override
  public @Nullable String step(WorkerGroup workers, int number, Map<String, Double> metrics)
      throws InterruptedException {
    List<Demonstration> chosen = train.step(number);
    Distributions teacher =
        run.algorithm().distill() == null
            ? null
            : ReferenceDistributions.of(run, workers, new LinkedHashMap<>());
    Task.Train task = new Task.Train(SftData.batch(chosen), number, teacher);
    String problem = OptimizerStep.perform(workers, task, metrics);
    metrics.put("sft/samples", (double) chosen.size());
    metrics.put("sft/learned_tokens", chosen.stream().mapToDouble(Demonstration::learned).sum());
    metrics.put("sft/epoch", (double) (number + 1) / train.stepsOfAnEpoch());
    return problem;
  }

  @Override
  public boolean validates() {
    return !validation.isEmpty();
  }

  /** Computes the loss of the validation demonstrations, averaged over tokens. */
  @Override
  public void validate(WorkerGroup workers, Map<String, Double> metrics)
      throws InterruptedException {
    Batch scored =
        Futures.await(workers.ask(Roles.ACTOR_TRAIN, new Task.Score(SftData.batch(validation))))
            .value();
    metrics.put("sft/val_loss", -scored.layout().mean(scored.column(Batch.OLD_LOG_PROBS)));
  }
}
