package roll.reward.detection;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import roll.api.data.Message.InlinePicture;
import roll.api.data.Trajectory;
import roll.api.image.ImageProcessor;
import roll.api.image.ImageProcessorLoader;
import roll.api.image.ImageSize;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.option.UserException;
import roll.api.reward.AnswerKey;
import roll.api.reward.Grade;
import roll.api.reward.Reward;
import roll.api.reward.RewardFunction;
import roll.api.reward.RollReward;
import roll.api.reward.TaskFacts;

/**
 * Compares the labeled boxes in a response with the known ones ({@code
 * alibaba/ROLL@8eb27cc2:roll/pipeline/rlvr/rewards/detection_reward_worker.py}).
 */
@Component(name = "roll.reward.detection")
@RollReward("detection")
public final class DetectionReward implements RewardFunction {
  private static final double[] THRESHOLDS = {
    0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 0.99
  };

  /** Factor of accuracy for each box too many or too few. */
  private static final double SIZE = 0.6;

  private static final String PIXELS = "reward_model.verifier_parm.det_verifier_normalized";

  private static final Option<String> FOLDER =
      Option.text("processor_folder", "model whose image processor resizes the pictures");

  private final @Nullable ImageProcessorLoader processors;

  /** Creates the reward; {@code processors} is null where no pictures are processed. */
  @Activate
  public DetectionReward(
      @Reference(cardinality = ReferenceCardinality.OPTIONAL)
          @Nullable ImageProcessorLoader processors) {
    this.processors = processors;
  }

  @Override
  public String description() {
    return "labeled boxes in a picture by overlap or average precision, and their form; 0 to 1";
  }

  @Override
  public List<Option<?>> options() {
    return List.of(FOLDER, AnswerKey.OPTION);
  }

  @Override
  public Reward configure(Options options) {
    AnswerKey key = AnswerKey.of(options);
    ImageProcessor processor = options.find(FOLDER).map(f -> processor(options, f)).orElse(null);
    return (episode, models) -> {
      DetectionWeights weights = DetectionWeights.of(episode);
      String response = episode.finalResponse();
      List<LabeledBox> found = LabeledBox.in(response);
      double accuracy =
          key.answers(episode).stream()
              .mapToDouble(
                  gold -> accuracy(scaled(found, episode, processor), LabeledBox.in(gold), weights))
              .max()
              .orElse(0);
      double format = wellFormed(response) && !found.isEmpty() ? 1 : 0;
      return new Grade(
          weights.score(accuracy, format), Map.of("acc", accuracy, "format", format), null);
    };
  }

  @Override
  public AnswerKey answerKey(Options options) {
    return AnswerKey.of(options);
  }

  private ImageProcessor processor(Options options, String folder) {
    ImageProcessorLoader known = processors;
    if (known == null) {
      throw new UserException(
          "%s.%s: no bundle reads image processors; roll.image does"
              .formatted(options.where(), FOLDER.name()));
    }
    return known.load(Path.of(folder));
  }

  /** Whether the tags are on lines of their own around the list. */
  private static boolean wellFormed(String response) {
    String end = "\n</answer>";
    int first = response.indexOf(end);
    return response.contains("\n<answer>\n") && first >= 0 && first == response.lastIndexOf(end);
  }

  private static List<LabeledBox> scaled(
      List<LabeledBox> found, Trajectory episode, @Nullable ImageProcessor processor) {
    Optional<InlinePicture> picture =
        episode.messages().stream().flatMap(message -> message.pictures().stream()).findFirst();
    if (processor == null
        || picture.isEmpty()
        || found.isEmpty()
        || !Boolean.TRUE.equals(TaskFacts.at(episode.facts(), PIXELS))) {
      return found;
    }
    ImageSize seen = processor.process(episode.id(), picture.get().picture().data()).seen();
    return found.stream().map(box -> box.inThousandths(seen.width(), seen.height())).toList();
  }

  private static double accuracy(
      List<LabeledBox> found, List<LabeledBox> known, DetectionWeights weights) {
    if (found.isEmpty() || known.isEmpty()) {
      return 0;
    }
    double labels =
        overThresholds(
            least ->
                BoxMatching.byLabel(found, known, least)
                    .score(found.size(), known.size(), weights.completeness()));
    double overlaps =
        overThresholds(
            least ->
                BoxMatching.byOverlap(found, known, least)
                    .score(found.size(), known.size(), weights.completeness()));
    return Math.pow(SIZE, Math.abs(found.size() - known.size()))
        * weights.mean(labels, overlaps, AveragePrecision.of(found, known));
  }

  private static double overThresholds(DoubleUnaryOperator score) {
    return DoubleStream.of(THRESHOLDS).map(score).average().orElse(0);
  }
}
