package roll.reward.detection;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.data.Trajectory;
import roll.api.reward.TaskFacts;

/**
 * Weights of the measures of a row, in its {@code reward_model} as in Orsta's data sets; a row
 * without them is scored by the overlaps of equal labels.
 *
 * @param byLabel of overlaps of equal labels
 * @param byOverlap of overlaps of the nearest boxes
 * @param completeness part of recall and precision in both
 * @param precisions of average precision: mean, at 0.5, at 0.75
 * @param accuracy of all these
 * @param format of the form of the response
 */
record DetectionWeights(
    double byLabel,
    double byOverlap,
    double completeness,
    List<Double> precisions,
    double accuracy,
    double format) {
  private static final String RATIOS = "reward_model.verifier_parm.det_reward_ratio";

  /** Returns the weights of the row of {@code episode}. */
  static DetectionWeights of(Trajectory episode) {
    Map<String, Object> facts = episode.facts();
    boolean given = TaskFacts.at(facts, RATIOS) instanceof Map<?, ?>;
    return new DetectionWeights(
        given ? ratio(facts, "iou_max_label_first") : 1,
        ratio(facts, "iou_max_iou_first"),
        ratio(facts, "iou_completeness"),
        List.of(ratio(facts, "map"), ratio(facts, "map50"), ratio(facts, "map75")),
        number(TaskFacts.at(facts, "reward_model.accuracy_ratio"), 1),
        number(TaskFacts.at(facts, "reward_model.format_ratio"), 0.1));
  }

  /** Outside of 0 to 1 it is 0, as in ROLL. */
  private static double ratio(Map<String, Object> facts, String name) {
    double ratio = number(TaskFacts.at(facts, RATIOS + "." + name), 0);
    return ratio >= 0 && ratio <= 1 ? ratio : 0;
  }

  private static double number(@Nullable Object value, double standard) {
    return value instanceof Number number && Double.isFinite(number.doubleValue())
        ? number.doubleValue()
        : standard;
  }

  /** Returns the weighted mean of the measures; 0 without weights. */
  double mean(double labels, double overlaps, AveragePrecision precision) {
    double sum =
        byLabel * labels
            + byOverlap * overlaps
            + precisions.get(0) * precision.mean()
            + precisions.get(1) * precision.half()
            + precisions.get(2) * precision.threeQuarters();
    double all = byLabel + byOverlap + precisions.stream().mapToDouble(Double::valueOf).sum();
    return all > 0 ? sum / all : 0;
  }

  /** Returns the score of a response by its accuracy and its form. */
  double score(double accurate, double formed) {
    double all = accuracy + format;
    return all > 0 ? (accurate * accuracy + formed * format) / all : 0;
  }
}
