package roll.config.roll;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.config.tree.YamlTree;

/**
 * The rewards of ROLL's RLVR pipeline: a worker for each domain, of which {@code
 * domain_interleave_probs} names those that are trained.
 */
final class RlvrRewards {
  private static final String REWARDS = "rewards";
  private static final String PROBABILITIES = "actor_train.data_args.domain_interleave_probs";

  /** The domain of rows whose tag is of none. */
  private static final String STANDARD = "math_rule";

  /** ROLL's worker that has a counterpart. */
  private static final String BUILT = "MathRuleRewardWorker";

  /** ROLL's workers that have no counterpart, and what is missing. */
  private static final Map<String, String> MISSING =
      Map.of(
          "CodeSandboxRewardWorker",
              "its formats of tests are not read (roll.reward.code has others)",
          "CrossThinkQARuleRewardWorker", "its multiple-choice rule is not built",
          "GeneralRuleRewardWorker", "the checks of IFEval's instructions are not built",
          "GeneralValRuleRewardWorker", "its multiple-choice rule is not built",
          "MultipleChoiceBoxedRuleRewardWorker", "its multiple-choice rule is not built",
          "LLMJudgeRewardWorker",
              "its judge on devices of its own is not built (roll.reward.llm_judge asks an"
                  + " endpoint)",
          "DetectionRewardWorker", "rewards of boxes in pictures are not built",
          "VideoR1RewardWorker", "videos are not read",
          "RemoteRewardSystemWorker", "its protocol is not built");

  /** Keys of a worker that place or feed it. */
  private static final Set<String> PLACES =
      Set.of(
          "name",
          "worker_cls",
          "tag_included",
          "model_args",
          "data_args",
          "strategy_args",
          "generating_args",
          "world_size",
          "device_mapping",
          "num_gpus_per_worker",
          "infer_batch_size",
          "system_envs",
          "backend_timeout",
          "max_concurrency");

  private final PipelineFile file;

  RlvrRewards(PipelineFile file) {
    this.file = file;
  }

  /**
   * Moves the reward to the environment at {@code environment}.
   *
   * @throws UserException naming the first domain or worker that cannot be had here
   */
  void translate(String environment) {
    Map<String, @Nullable Object> workers = mapping(REWARDS);
    Set<String> domains = new LinkedHashSet<>(mapping(PROBABILITIES).keySet());
    if (domains.isEmpty()) {
      throw new UserException(
          "%s: %s is missing: it names the domains that are trained"
              .formatted(file.draft().where("actor_train.data_args"), PROBABILITIES));
    }
    Set<String> all = new LinkedHashSet<>(domains);
    all.addAll(workers.keySet());
    refuseMissing(all);
    all.forEach(domain -> check(domain, mapping(REWARDS + "." + domain)));
    if (all.size() > 1) {
      throw file.wrong(
          REWARDS,
          "%s: rewards and advantages of several domains are not normalized, masked and whitened by domain here"
              .formatted(String.join(", ", all)));
    }
    String domain = all.iterator().next();
    if (!domain.equals(STANDARD)) {
      throw file.wrong(
          REWARDS + "." + domain,
          "rows without a tag of it are left out in ROLL, here a file has one domain; only %s has all rows"
              .formatted(STANDARD));
    }
    Map<String, @Nullable Object> options = new LinkedHashMap<>();
    options.put("part", "conclusion");
    options.put("answer_key", "ground_truth");
    file.put(environment + ".rewards.math_verify", options);
    file.take(REWARDS);
    file.draft()
        .notice(
            "rewards.%s is read as math_verify with part conclusion; every row is of this domain, whatever its tag"
                .formatted(domain));
  }

  private Map<String, @Nullable Object> mapping(String path) {
    Object value = file.get(path);
    Map<String, @Nullable Object> mapping = YamlTree.mapping(value == null ? Map.of() : value);
    if (mapping == null) {
      throw file.wrong(path, "expected a mapping, found " + YamlTree.shown(value));
    }
    return mapping;
  }

  /** Names all workers that have no counterpart, where the first of them is. */
  private void refuseMissing(Set<String> domains) {
    Map<String, String> missing = new LinkedHashMap<>();
    for (String domain : domains) {
      String path = REWARDS + "." + domain;
      String name = worker(path);
      if (!name.equals(BUILT)) {
        String reason = MISSING.getOrDefault(name, "a worker in Python is not run");
        missing.put(path + ".worker_cls", name + ": " + reason);
      }
    }
    if (!missing.isEmpty()) {
      throw file.wrong(
          missing.keySet().iterator().next(), "ROLL's " + String.join("; ", missing.values()));
    }
  }

  private String worker(String path) {
    Object cls = mapping(path).get("worker_cls");
    if (cls == null) {
      throw new UserException(
          "%s: %s.worker_cls is missing: it grades the domain"
              .formatted(file.draft().where(path), path));
    }
    return String.valueOf(cls).replaceFirst(".*\\.", "");
  }

  private void check(String domain, Map<String, @Nullable Object> worker) {
    String path = REWARDS + "." + domain;
    for (String filter : List.of("query_filter_config", "response_filter_config")) {
      Object type = file.get(path + "." + filter + ".type");
      if (type != null && !"no_filter".equals(type)) {
        throw file.wrong(
            path + "." + filter,
            "%s is not supported: group_filter_cls: dapo drops groups of equal scores"
                .formatted(YamlTree.shown(type)));
      }
    }
    for (String key : worker.keySet()) {
      boolean filter = key.endsWith("_filter_config");
      if (!PLACES.contains(key) && !filter && worker.get(key) != null) {
        file.draft()
            .notice(
                "key '%s.%s' has no effect here: %s does not read it in ROLL either"
                    .formatted(path, key, BUILT));
      }
    }
  }
}
