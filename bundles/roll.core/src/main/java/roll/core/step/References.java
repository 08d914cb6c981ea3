package roll.core.step;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import roll.api.data.Batch;
import roll.api.strategy.Scores;
import roll.core.Roles;
import roll.runtime.config.ModelRoles;
import roll.runtime.worker.TaskReply;

/**
 * Adds reference log-probs to a batch: those of the reference, or for each sample those of the
 * teacher of its tag.
 *
 * @param scorer asks a role
 * @param metrics of the step, added to
 */
record References(ModelRoles roles, Scorer scorer, Map<String, Double> metrics) {
  private static final double[] NONE = {};

  /** Asks a role for reference log-probs. */
  interface Scorer {
    /** Returns {@code batch} with the reference log-probs of {@code role}. */
    Batch score(String role, Batch batch) throws InterruptedException;
  }

  /** Returns {@code batch} with reference log-probs. */
  Batch score(Batch batch) throws InterruptedException {
    if (roles.teachers().isEmpty()) {
      return scorer.score(Roles.REFERENCE, batch);
    }
    double[] logProbs = new double[batch.size()];
    for (Map.Entry<String, List<Integer>> own : samples(batch).entrySet()) {
      int[] samples = own.getValue().stream().mapToInt(i -> i).toArray();
      Batch scored = scorer.score(own.getKey(), batch.select(samples));
      double[] found = scored.column(Batch.REFERENCE_LOG_PROBS);
      int[] positions = batch.layout().positions(samples);
      for (int t = 0; t < found.length; t++) {
        logProbs[positions[t]] = found[t];
      }
    }
    TaskReply<Batch> all = TaskReply.ofReference(batch, new Scores(logProbs, NONE));
    metrics.putAll(all.metrics());
    return all.value();
  }

  /** Returns the samples of each role, by their tags. */
  private Map<String, List<Integer>> samples(Batch batch) {
    List<String> tags = batch.column(Batch.TAGS);
    return IntStream.range(0, batch.samples())
        .boxed()
        .collect(
            Collectors.groupingBy(i -> role(tags.get(i)), LinkedHashMap::new, Collectors.toList()));
  }

  private String role(String tag) {
    return roles.teachers().values().stream()
        .filter(teacher -> teacher.tags().contains(tag))
        .map(teacher -> teacher.worker().role())
        .findFirst()
        .orElse(Roles.REFERENCE);
  }
}
