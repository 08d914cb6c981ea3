package roll.config.roll;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.config.tree.YamlTree;

/**
 * The rewards of ROLL's RLVR pipeline: a worker for each domain, which becomes the rewards of an
 * environment. {@code domain_interleave_probs} names the domains that are trained and their shares.
 */
final class RlvrRewards {
  private static final String REWARDS = "rewards";
  private static final String PROBABILITIES = "actor_train.data_args.domain_interleave_probs";

  /** ROLL's workers that have no counterpart, and what is missing. */
  private static final Map<String, String> MISSING =
      Map.of(
          "GeneralValRuleRewardWorker", "its reward is 0 in ROLL too",
          "MultipleChoiceBoxedRuleRewardWorker", "its reward is 0 in ROLL too",
          "VideoR1RewardWorker", "videos are not read",
          "RemoteRewardSystemWorker", "its protocol is not built");

  /** Keys of every worker that place or feed it. */
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
          "max_concurrency",
          "query_filter_config",
          "response_filter_config");

  private final PipelineFile file;
  private final RlvrWorkers workers;

  /**
   * Reads the rewards of {@code file}.
   *
   * @param answer field of the reference answers
   */
  RlvrRewards(PipelineFile file, String answer) {
    this.file = file;
    this.workers = new RlvrWorkers(file, answer);
  }

  /**
   * Replaces the workers by the rewards of each domain.
   *
   * @param validates whether domains are needed that are not trained
   * @param length maximum tokens of a prompt and its response
   * @return options {@code rewards} by domain, the trained ones first
   * @throws UserException naming the first domain or worker that cannot be had here
   */
  Map<String, Map<String, @Nullable Object>> translate(boolean validates, int length) {
    Set<String> domains = new LinkedHashSet<>(trained().keySet());
    if (validates) {
      domains.addAll(mapping(REWARDS).keySet());
    }
    refuseMissing(domains);
    Map<String, Map<String, @Nullable Object>> rewards = new LinkedHashMap<>();
    for (String domain : domains) {
      String path = REWARDS + "." + domain;
      checkFilters(path);
      Set<String> unread = new LinkedHashSet<>(mapping(path).keySet());
      String worker = worker(path);
      Map<String, @Nullable Object> own = workers.translate(worker, domain, path, length, unread);
      rewards.put(domain, own);
      unread.removeAll(PLACES);
      for (String key : unread) {
        file.drop(path + "." + key, null, worker + " does not read it in ROLL either");
      }
      file.draft()
          .notice(
              "%s (%s) is read as %s".formatted(path, worker, String.join(" and ", own.keySet())));
    }
    file.take(REWARDS);
    if (file.get("reward_models." + RlvrWorkers.SHARED) == null) {
      file.drop(RlvrWorkers.SHARED, null, "no worker that is read asks it");
    }
    file.take(RlvrWorkers.SHARED);
    return rewards;
  }

  /** Returns the domain of each tag. */
  Map<String, @Nullable Object> domainsByTag() {
    Map<String, @Nullable Object> domains = new LinkedHashMap<>();
    for (String domain : mapping(REWARDS).keySet()) {
      file.texts(REWARDS + "." + domain + ".tag_included").forEach(tag -> domains.put(tag, domain));
    }
    return domains;
  }

  /**
   * Returns how many of {@code questions} each trained domain has in a step: its share, rounded
   * down; the last one has the rest.
   */
  Map<String, Integer> questions(int questions) {
    Map<String, Integer> shares = new LinkedHashMap<>();
    List<String> domains = new ArrayList<>(trained().keySet());
    int rest = questions;
    for (String domain : domains) {
      Object share = trained().get(domain);
      if (!(share instanceof Number number)) {
        throw file.wrong(
            PROBABILITIES + "." + domain, "expected a number, found " + YamlTree.shown(share));
      }
      int own = domain.equals(domains.getLast()) ? rest : (int) (number.doubleValue() * questions);
      if (own < 1) {
        throw file.wrong(
            PROBABILITIES + "." + domain,
            "leaves %d of rollout_batch_size %d prompts to the domain".formatted(own, questions));
      }
      shares.put(domain, own);
      rest -= own;
    }
    return shares;
  }

  private Map<String, @Nullable Object> trained() {
    Map<String, @Nullable Object> trained = mapping(PROBABILITIES);
    if (trained.isEmpty()) {
      throw new UserException(
          "%s: %s is missing: it names the domains that are trained"
              .formatted(file.draft().where("actor_train.data_args"), PROBABILITIES));
    }
    return trained;
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
      if (!workers.built(name)) {
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

  private void checkFilters(String path) {
    for (String filter : List.of("query_filter_config", "response_filter_config")) {
      Object type = file.get(path + "." + filter + ".type");
      if (type != null && !"no_filter".equals(type)) {
        throw file.wrong(
            path + "." + filter,
            "%s is not supported: group_filter_cls: dapo drops groups of equal scores"
                .formatted(YamlTree.shown(type)));
      }
    }
  }
}
