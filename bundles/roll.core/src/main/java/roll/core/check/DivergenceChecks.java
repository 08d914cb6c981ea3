package roll.core.check;

import roll.api.config.WorkerConfig;
import roll.api.option.UserException;
import roll.api.plugin.Lease;
import roll.api.plugin.Plugins;
import roll.api.strategy.InferStrategy;
import roll.api.strategy.TrainStrategy;
import roll.core.plugin.PluginRequirement;
import roll.decoder.ModelSpecs;
import roll.runtime.config.RunConfig;
import roll.runtime.config.algorithm.DistillConfig;

/**
 * Checks {@code kl_penalty: full} and {@code distill}: a divergence over the vocabulary needs the
 * distributions of both models on the same device, as they are not transferred.
 */
final class DivergenceChecks {
  private DivergenceChecks() {}

  /**
   * Checks the trained policy and its reference for divergences over the vocabulary.
   *
   * @throws UserException if the two cannot be compared
   */
  static void check(RunConfig run, Plugins plugins, ModelSpecs models) {
    WorkerConfig reference = run.roles().reference();
    if (reference == null || !run.comparesDistributions()) {
      return;
    }
    String key = run.divergences() ? "kl_penalty: full" : "distill";
    WorkerConfig policy = run.roles().actorTrain();
    try (Lease<TrainStrategy> lease =
        PluginRequirement.strategy(policy, TrainStrategy.class).lease(plugins)) {
      boolean measures = lease.service().measuresDivergences();
      require(key, measures, policy, "measure divergences", "local_train");
    }
    if (run.roles().referenceIsActor()) {
      return;
    }
    try (Lease<InferStrategy> lease =
        PluginRequirement.strategy(reference, InferStrategy.class).lease(plugins)) {
      boolean lends = lease.service().providesDistributions();
      String what = "give its distributions on this machine";
      require(key, lends, reference, what, "hf_infer and vllm");
    }
    if (!reference.devices().equals(policy.devices())) {
      throw new UserException(
          ("%s compares the distributions of two models on one device, but"
               + " actor_train.device_mapping is %s and reference.device_mapping %s: give both the"
               + " same")
              .formatted(key, policy.devices(), reference.devices()));
    }
    int words = models.require(policy, false).vocabulary();
    int others = models.require(reference, false).vocabulary();
    DistillConfig distill = run.algorithm().distill();
    int common = Math.min(words, others);
    if (distill != null && distill.divergence().topK() > common) {
      throw new UserException(
          "distill.top_k: expected at most %d, the words that both models have, found %d"
              .formatted(common, distill.divergence().topK()));
    }
    if (run.divergences() && words != others) { // distill leaves out words of one model
      throw new UserException(
          ("kl_penalty: full compares distributions over the same words, but actor_train has %d"
                  + " and reference %d")
              .formatted(words, others));
    }
  }

  private static void require(
      String key, boolean able, WorkerConfig worker, String what, String others) {
    if (!able) {
      throw new UserException(
          "%s.strategy_args.strategy_name: '%s' does not %s, as %s asks; %s can"
              .formatted(worker.role(), worker.strategy(), what, key, others));
    }
  }
}
