package roll.core.sft;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import roll.api.data.Batch;
import roll.api.loss.PolicyLoss;
import roll.api.preference.PreferenceBatch;
import roll.api.preference.PreferenceInfo.Need;
import roll.api.preference.PreferenceResult;
import roll.core.Roles;
import roll.core.plugin.BoundObjective;
import roll.core.role.Futures;
import roll.core.role.WorkerGroup;
import roll.runtime.config.RunConfig;
import roll.runtime.worker.Task;

/**
 * Learns which answers are preferred: scores the batch with policy and reference, or with the
 * reward model that is trained, computes the objective's derivative by each answer's log-prob or
 * score, and trains on it.
 *
 * @param needs of the objective
 * @param train the preferences by steps
 * @param validation preferences for validation; may be empty
 */
record PreferenceTask(
    RunConfig run,
    BoundObjective objective,
    Set<Need> needs,
    SftData<Preference> train,
    List<Preference> validation)
    implements SupervisedTask {
  @Override
  public String rows() {
    return needs.contains(Need.PAIRS) ? "pairs" : "answers";
  }

  @Override
  public Set<String> roles() {
    Set<String> roles = new LinkedHashSet<>(List.of(Roles.ACTOR_TRAIN));
    if (needs.contains(Need.REFERENCE) && !run.roles().referenceIsActor()) {
      roles.add(Roles.REFERENCE);
    }
    return roles;
  }

  @Override
  public PolicyLoss loss() {
    return new AnswerLoss();
  }

  @Override
  public @Nullable String step(WorkerGroup workers, int number, Map<String, Double> metrics)
      throws InterruptedException {
    List<Preference> chosen = train.step(number);
    AnswerBatch answers = AnswerBatch.of(chosen);
    Batch scored = scored(workers, answers.batch());
    PreferenceBatch sums = sums(workers, answers, scored);
    PreferenceResult result = objective.evaluate(sums);
    metrics.put(SftLoss.LOSS, result.loss());
    metrics.put("sft/samples", (double) chosen.size());
    metrics.put("sft/learned_tokens", (double) Arrays.stream(sums.lengths()).sum());
    metrics.put("sft/epoch", (double) (number + 1) / train.stepsOfAnEpoch());
    metrics.putAll(PreferenceMetrics.of(sums, result, needs));
    if (!Double.isFinite(result.loss() + Arrays.stream(result.gradient()).sum())) {
      metrics.put("sft/skipped_updates", 1.0);
      return "the loss or its gradient is not finite";
    }
    double[] advantages = scored.layout().spread(result.gradient());
    Arrays.setAll(advantages, t -> -advantages[t]);
    Batch weighed = scored.withColumn(Batch.ADVANTAGES, advantages);
    return OptimizerStep.perform(workers, new Task.Train(weighed, number), metrics);
  }

  @Override
  public boolean validates() {
    return !validation.isEmpty();
  }

  @Override
  public void validate(WorkerGroup workers, Map<String, Double> metrics)
      throws InterruptedException {
    AnswerBatch answers = AnswerBatch.of(validation);
    PreferenceBatch sums = sums(workers, answers, scored(workers, answers.batch()));
    PreferenceResult result = objective.evaluate(sums);
    metrics.put("sft/val_loss", result.loss());
    PreferenceMetrics.of(sums, result, needs)
        .forEach((name, value) -> metrics.put("val/" + name, value));
  }

  private PreferenceBatch sums(WorkerGroup workers, AnswerBatch answers, Batch scored)
      throws InterruptedException {
    double[] policy =
        scored.column(needs.contains(Need.SCORES) ? Batch.VALUES : Batch.OLD_LOG_PROBS);
    double[] reference = needs.contains(Need.REFERENCE) ? reference(workers, scored) : policy;
    return answers.sums(scored, policy, reference, divergence(workers, answers));
  }

  private double divergence(WorkerGroup workers, AnswerBatch answers) throws InterruptedException {
    List<Demonstration> mismatched =
        needs.contains(Need.DIVERGENCE) ? answers.mismatched(run.sequenceLength()) : List.of();
    if (mismatched.isEmpty()) {
      return 0;
    }
    Batch scored = scored(workers, SftData.batch(mismatched));
    double[] policy = scored.layout().sumBySample(scored.column(Batch.OLD_LOG_PROBS));
    double[] reference = scored.layout().sumBySample(reference(workers, scored));
    double sum = Arrays.stream(policy).sum() - Arrays.stream(reference).sum();
    return Math.max(0, sum / mismatched.size());
  }

  private static Batch scored(WorkerGroup workers, Batch batch) throws InterruptedException {
    return Futures.await(workers.ask(Roles.ACTOR_TRAIN, new Task.Score(batch))).value();
  }

  private double[] reference(WorkerGroup workers, Batch batch) throws InterruptedException {
    Batch scored =
        Futures.await(
                run.roles().referenceIsActor()
                    ? workers.ask(Roles.ACTOR_TRAIN, new Task.ScoreReference(batch))
                    : workers.ask(Roles.REFERENCE, new Task.Score(batch)))
            .value();
    return scored.column(Batch.REFERENCE_LOG_PROBS);
  }
}
